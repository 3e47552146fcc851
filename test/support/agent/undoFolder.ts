import { isDeepStrictEqual } from 'node:util';
import type { FileState } from '../../../src/extension/base/fileVersion';
import { failed, succeeded } from '../../../src/extension/base/result';
import type { LiveConversation } from '../../../src/extension/conversations/liveConversation';
import { lastChangedTurn } from '../../../src/extension/conversations/undo/turnChanges';
import type { FileNow, UndoFiles, UndoHow } from '../../../src/extension/conversations/undo/undo';
import { undoInConversation } from '../../../src/extension/conversations/undo/undoTurn';
import { StorageError } from '../../../src/extension/storage/storageError';
import type { Store } from '../../../src/extension/storage/store';
import type { Reply } from '../../../src/protocol/wire';
import type { TestFolder } from './testTools';

/** Undo over a folder in memory, which notes `put a.ts` for each file that it puts back. */
export class UndoFolder implements UndoFiles {
  readonly #folder: TestFolder;

  constructor(folder: TestFolder) {
    this.#folder = folder;
  }

  /** Takes back what message `seq` and its turn changed (default: the last turn that changed something), or makes it again. */
  undo(live: LiveConversation, store: Store, how: UndoHow, seq = lastChangedTurn(live.transcript.messages)?.fromSeq) {
    return live.workClaimed(async (claimed): Promise<Reply> => {
      try {
        const services = { reader: store.reader, files: this, ask: () => Promise.resolve('overwrite' as const) };
        const { done, sentence } = await undoInConversation(claimed, { seq: seq ?? 1, how }, services);
        return done === 'none' ? { ok: false, message: sentence } : { ok: true };
      } catch (error) {
        return { ok: false, message: StorageError.from(error).sentence };
      }
    });
  }

  shown(path: string): string {
    return path.slice(1);
  }

  look(path: string): ReturnType<UndoFiles['look']> {
    return Promise.resolve(succeeded(this.#now(path)));
  }

  async put(path: string, now: FileNow, to: FileState | undefined): ReturnType<UndoFiles['put']> {
    const name = this.shown(path);
    this.#folder.done.push(`put ${name}`);
    await this.#folder.pause(name);
    if (!isDeepStrictEqual(this.#now(path), now)) return failed(`${name} was changed meanwhile.`);
    if (to === undefined) this.#folder.files.delete(name);
    else this.#folder.files.set(name, Buffer.from(to.bytes).toString());
    return succeeded(undefined);
  }

  #now(path: string): FileNow {
    const text = this.#folder.files.get(this.shown(path));
    return text === undefined ? { kind: 'absent' } : { kind: 'file', state: { bytes: Buffer.from(text), mode: 0o644 } };
  }
}
