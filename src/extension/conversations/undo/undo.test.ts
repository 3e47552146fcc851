import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileState, VersionState } from '../../base/fileVersion';
import { failed, succeeded } from '../../base/result';
import {
  undoChanges,
  undoWords,
  type AskAboutConflict,
  type Conflict,
  type FileNow,
  type KeptChange,
  type UndoFiles,
  type UndoHow,
} from './undo';

const encoder = new TextEncoder();

function state(text: string, mode = 0o644): FileState {
  return { bytes: encoder.encode(text), mode };
}

function change(
  path: string,
  before: FileState | undefined,
  after: FileState | undefined,
  special: Partial<KeptChange> = {},
): KeptChange {
  return { seq: 2, idx: 0, path, state: 'applied', before, after, ...special };
}

/** Files in memory. */
class MemoryFiles implements UndoFiles {
  readonly files = new Map<string, FileState>();
  readonly unsaved = new Map<string, string>();
  readonly puts: string[] = [];
  readonly broken = new Set<string>();

  shown(path: string): string {
    return `src/${path}`;
  }

  look(path: string): ReturnType<UndoFiles['look']> {
    if (this.broken.has(path)) return Promise.resolve(failed(`${path} cannot be read.`));
    return Promise.resolve(succeeded(this.#now(path)));
  }

  put(path: string, now: FileNow, to: FileState | undefined): ReturnType<UndoFiles['put']> {
    this.puts.push(path);
    if (now.kind === 'editor') this.unsaved.set(path, new TextDecoder().decode(to?.bytes));
    else if (to === undefined) this.files.delete(path);
    else this.files.set(path, to);
    return Promise.resolve(succeeded(undefined));
  }

  text(path: string): string | undefined {
    const found = this.files.get(path);
    return found === undefined ? undefined : Buffer.from(found.bytes).toString();
  }

  #now(path: string): FileNow {
    const text = this.unsaved.get(path);
    if (text !== undefined) return { kind: 'editor', text };
    const found = this.files.get(path);
    return found === undefined ? { kind: 'absent' } : { kind: 'file', state: found };
  }
}

const going = new AbortController().signal;

function undoAll(
  changes: readonly KeptChange[],
  how: UndoHow,
  files: UndoFiles,
  ask: AskAboutConflict,
  signal = going,
): ReturnType<typeof undoChanges> {
  return undoChanges(changes, how, files, ask, signal);
}

const nobody = (): Promise<never> => Promise.reject(new Error('nobody is to be asked'));

function world(files: Readonly<Record<string, FileState>>): MemoryFiles {
  const memory = new MemoryFiles();
  for (const [path, found] of Object.entries(files)) memory.files.set(path, found);
  return memory;
}

describe('undo', () => {
  it('takes all changes of a turn back to what was before the first, and redo makes them again', async () => {
    const files = world({ a: state('3'), made: state('new') });
    const changes = [
      change('a', state('1'), state('2')),
      change('made', undefined, state('new'), { idx: 1 }),
      change('a', state('2'), state('3'), { seq: 3 }),
    ];
    const undone = await undoAll(changes, 'undo', files, nobody);
    expect(undone).toMatchObject({ kind: 'done', files: 2, left: [] });
    expect(files.text('a')).toBe('1');
    expect(files.text('made')).toBeUndefined();
    const now = changes.map((one) => ({ ...one, state: 'undone' as const }));
    await undoAll(now, 'redo', files, nobody);
    expect(files.text('a')).toBe('3');
    expect(files.text('made')).toBe('new');
  });

  it('puts back a file that was deleted', async () => {
    const files = world({});
    await undoAll([change('gone', state('kept', 0o755), undefined)], 'undo', files, nobody);
    expect(files.files.get('gone')).toEqual(state('kept', 0o755));
  });

  it('keeps permissions that the person changed since, and puts back those that the change touched', async () => {
    const files = world({ run: state('2', 0o755), hard: state('2', 0o600) });
    const changes = [change('run', state('1'), state('2')), change('hard', state('1', 0o644), state('2', 0o600))];
    await undoAll(changes, 'undo', files, nobody);
    expect(files.files.get('run')).toEqual(state('1', 0o755));
    expect(files.files.get('hard')).toEqual(state('1', 0o644));
  });

  it('does nothing to a file that is already what it is to be, as after a crash, and counts it as done', async () => {
    const files = world({ a: state('1') });
    const result = await undoAll([change('a', state('1'), state('2'))], 'undo', files, nobody);
    expect(result).toMatchObject({ kind: 'done', files: 1 });
    expect(files.puts).toEqual([]);
  });

  it('asks about what the person changed since, and touches nothing before all is asked', async () => {
    const files = world({ a: state('mine'), b: state('2'), c: state('mine') });
    const changes = ['a', 'b', 'c'].map((path) => change(path, state('1'), state('2')));
    const asked: string[] = [];
    const skipFirst = ({ path, to }: Conflict): Promise<'skip' | 'overwrite'> => {
      asked.push(path);
      expect(files.puts).toEqual([]);
      expect(to).toEqual(state('1'));
      return Promise.resolve(path === 'a' ? 'skip' : 'overwrite');
    };
    const result = await undoAll(changes, 'undo', files, skipFirst);
    expect(asked).toEqual(['a', 'c']);
    expect(files.text('a')).toBe('mine');
    expect([files.text('b'), files.text('c')]).toEqual(['1', '1']);
    expect(result).toMatchObject({ files: 2, left: ['src/a was changed since: it was left as it is.'] });
    expect(undoWords(2, ['a was changed.'], 'undo')).toBe('Undone in 2 files. a was changed.');
  });

  it('asks about what the person changed between two edits of one turn: taking both back takes that, too', async () => {
    const files = world({ a: state('mine 3') });
    const changes = [change('a', state('1'), state('2')), change('a', state('mine'), state('mine 3'), { idx: 1 })];
    const asked: Conflict[] = [];
    const skip = (conflict: Conflict): Promise<'skip'> => {
      asked.push(conflict);
      return Promise.resolve('skip');
    };
    const result = await undoAll(changes, 'undo', files, skip);
    expect(asked).toMatchObject([{ path: 'a', when: 'between', to: state('1') }]);
    expect(result).toMatchObject({ left: ['src/a was changed between these changes: it was left as it is.'] });
    expect(files.puts).toEqual([]);
    await undoAll(changes, 'undo', files, () => Promise.resolve('overwrite'));
    expect(files.text('a')).toBe('1');
    const undone = changes.map((one) => ({ ...one, state: 'undone' as const }));
    await undoAll(undone, 'redo', files, nobody);
    expect(files.text('a')).toBe('mine 3');
  });

  it('waits for nobody and touches nothing once it is stopped', async () => {
    const files = world({ a: state('2'), b: state('mine') });
    const changes = ['a', 'b'].map((path) => change(path, state('1'), state('2')));
    const stop = new AbortController();
    const unanswered = (): Promise<never> => {
      stop.abort('takeover');
      return new Promise(() => undefined);
    };
    expect(await undoAll(changes, 'undo', files, unanswered, stop.signal)).toEqual({ kind: 'cancelled' });
    expect(files.puts).toEqual([]);
    const stopped = await undoAll(changes.slice(0, 1), 'undo', files, nobody, stop.signal);
    expect(stopped).toMatchObject({ files: 0, left: ['src/a was left as it is: this was stopped first.'] });
    expect(files.puts).toEqual([]);
  });

  it.each(['gone', 'there again'])('asks about a file that is %s', async (what) => {
    const files = world(what === 'gone' ? {} : { a: state('another') });
    const made = what === 'gone' ? change('a', state('1'), state('2')) : change('a', state('1'), undefined);
    const asked: Conflict[] = [];
    await undoAll([made], 'undo', files, (conflict) => {
      asked.push(conflict);
      return Promise.resolve('skip');
    });
    expect(asked).toHaveLength(1);
  });

  it('does nothing at all when the person cancels', async () => {
    const files = world({ a: state('2'), b: state('mine') });
    const changes = ['a', 'b'].map((path) => change(path, state('1'), state('2')));
    expect(await undoAll(changes, 'undo', files, () => Promise.resolve('cancel'))).toEqual({ kind: 'cancelled' });
    expect(files.puts).toEqual([]);
  });

  it('takes the unsaved text of an editor for the truth, whatever its line ends', async () => {
    const files = world({ a: state('on the disk') });
    files.unsaved.set('a', 'one\ntwo\n');
    const edited = change('a', state('one\r\n'), state('one\r\ntwo\r\n'));
    await undoAll([edited], 'undo', files, nobody);
    expect(files.unsaved.get('a')).toBe('one\r\n');
    expect(files.text('a')).toBe('on the disk');
    files.unsaved.set('a', 'something else');
    const asked: string[] = [];
    await undoAll([edited], 'undo', files, ({ path }) => {
      asked.push(path);
      return Promise.resolve('skip');
    });
    expect(asked).toEqual(['a']);
  });

  it('leaves a file that cannot be looked at, and says why', async () => {
    const files = world({ a: state('2'), b: state('2') });
    files.broken.add('a');
    const changes = ['a', 'b'].map((path) => change(path, state('1'), state('2')));
    const result = await undoAll(changes, 'undo', files, nobody);
    expect(result).toMatchObject({ files: 1, left: ['a cannot be read.'] });
  });

  it.each<[UndoHow, VersionState]>([
    ['undo', 'undone'],
    ['undo', 'proposed'],
    ['redo', 'applied'],
  ])('%s touches nothing that is %s', async (how, was) => {
    const files = world({ a: state('2') });
    const changes = [change('a', state('1'), state('2'), { state: was })];
    expect(await undoAll(changes, how, files, nobody)).toEqual({ kind: 'nothing' });
    expect(files.puts).toEqual([]);
  });

  it('brings any files through any changes back byte for byte, and forth again', async () => {
    const anyState = fc.option(
      fc.record({ bytes: fc.uint8Array({ maxLength: 20 }), mode: fc.constantFrom(0o644, 0o755) }),
      {
        nil: undefined,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), anyState), { maxLength: 8 }),
        async (edits) => {
          const files = world({ a: state('a'), untouched: state('u') });
          const before = new Map(files.files);
          const changes = edits.map(([path, after], idx) => {
            const made = change(path, files.files.get(path), after, { idx });
            if (after === undefined) files.files.delete(path);
            else files.files.set(path, after);
            return made;
          });
          const forth = new Map(files.files);
          await undoAll(changes, 'undo', files, nobody);
          expect(files.files).toEqual(before);
          await undoAll(
            changes.map((one) => ({ ...one, state: 'undone' as const })),
            'redo',
            files,
            nobody,
          );
          expect(files.files).toEqual(forth);
          expect(files.puts).not.toContain('untouched');
        },
      ),
    );
  });
});
