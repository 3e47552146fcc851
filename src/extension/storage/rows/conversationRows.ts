import type { ConversationId } from '../../../protocol/ids';
import type { Statements } from '../connection';
import { StorageError } from '../storageError';

/** The integer keys of the conversations met so far. Keys learnt in a transaction that is undone must be forgotten. */
export class ConversationRows {
  readonly #rows = new Map<ConversationId, number>();

  forget(): void {
    this.#rows.clear();
  }

  /** The key of a conversation of the file. Throws a permanent {@link StorageError} when the file does not hold it. */
  async get(statements: Statements, id: ConversationId): Promise<number> {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const row = await statements.get(`SELECT id FROM conversation WHERE ulid = ?`, [id]);
    const found = row?.['id'];
    if (typeof found !== 'number') {
      throw new StorageError(
        'permanent',
        'MISSING',
        `no conversation ${id}`,
        'The conversation is not in the history file.',
      );
    }
    this.#rows.set(id, found);
    return found;
  }
}
