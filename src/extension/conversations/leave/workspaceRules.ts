import type { Rule } from '../../../protocol/approval';
import type { Log } from '../../base/log';
import type { WriteOutcome } from '../../storage/change';
import type { Reader } from '../../storage/reading/reader';
import { StorageError } from '../../storage/storageError';

/**
 * What is allowed in the workspaces of this window: what the file says, read each time, since other windows and the
 * person change it; and what was allowed here and is not in the file yet.
 */
export class WorkspaceRules {
  readonly #reader: Pick<Reader, 'readPermissions'>;
  readonly #log: Log;
  readonly #unwritten = new Map<string, Set<Rule>>();

  constructor(reader: Pick<Reader, 'readPermissions'>, log: Log) {
    this.#reader = reader;
    this.#log = log;
  }

  /** The rules of a workspace. Where the file cannot be read, it allows nothing. Never rejects. */
  async of(workspaceKey: string): Promise<readonly Rule[]> {
    const unwritten = [...(this.#unwritten.get(workspaceKey) ?? [])];
    try {
      const stored = await this.#reader.readPermissions(workspaceKey);
      return [...stored.map(({ rule }) => rule), ...unwritten];
    } catch (error) {
      this.#log.warn(`the rules cannot be read: ${StorageError.from(error).code}`);
      return unwritten;
    }
  }

  /** A rule that holds from now on; `write` puts it into the file. */
  granted(workspaceKey: string, rule: Rule, write: Promise<WriteOutcome>): void {
    const rules = this.#unwritten.get(workspaceKey) ?? new Set();
    this.#unwritten.set(workspaceKey, rules.add(rule));
    void write.then((outcome) => {
      // From now on the file says so, until the person takes it back there.
      if (outcome === 'written') rules.delete(rule);
    });
  }
}
