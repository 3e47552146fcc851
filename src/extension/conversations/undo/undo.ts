import type { FileState, VersionState } from '../../base/fileVersion';
import { succeeded, type Result } from '../../base/result';
import { decodeBytes, shownText } from '../../tools/files/textCodec';

/** `undo`: what was changed is taken back. `redo`: what was taken back is made again. */
export type UndoHow = 'undo' | 'redo';

/** A change that the call at `seq` and `idx` made of one file. Undefined: there is no such file. */
export interface KeptChange {
  readonly seq: number;
  readonly idx: number;
  /** Real and absolute. */
  readonly path: string;
  readonly state: VersionState;
  readonly before: FileState | undefined;
  readonly after: FileState | undefined;
}

/** What a file is now. For one that the editor holds unsaved the editor is the truth, and its text is what it has. */
export type FileNow =
  | { readonly kind: 'file'; readonly state: FileState }
  | { readonly kind: 'editor'; readonly text: string }
  | { readonly kind: 'absent' };

/** The files that undo looks at and puts back. Failures are sentences, and name the file. */
export interface UndoFiles {
  /** A path as the person knows it. */
  shown(path: string): string;
  look(path: string): Promise<Result<FileNow, string>>;
  /** Makes `to` of a file that is still what it was when it was looked at. Undefined: the file goes. */
  put(path: string, now: FileNow, to: FileState | undefined): Promise<Result<void, string>>;
}

/**
 * A file that somebody else changed, too: `since` the last change, or `between` two of those that are taken back together.
 * Overwriting it puts `to` in its place; undefined: it goes.
 */
export interface Conflict {
  readonly path: string;
  readonly when: 'since' | 'between';
  readonly now: FileNow;
  readonly to: FileState | undefined;
}

/** Asks the person what shall become of one file. `cancel`: nothing at all is done. */
export type AskAboutConflict = (conflict: Conflict) => Promise<'overwrite' | 'skip' | 'cancel'>;

const WHEN: { readonly [When in Conflict['when']]: string } = {
  since: 'since',
  between: 'between these changes',
};
const STOPPED = 'was left as it is: this was stopped first.';

/** `done`: the changes that are taken back, or made again, now. `left`: a sentence for each file that was left as it is. */
export type UndoResult =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'done';
      readonly done: readonly KeptChange[];
      readonly files: number;
      readonly left: readonly string[];
    };

/**
 * Takes changes back, or makes them again: only of their files, and only where a file is as the changes left it, or where
 * the person says so. Everything is asked before anything is touched. `changes` are in the order in which they were made.
 * Once the signal aborts nobody is waited for, and no further file is touched.
 */
export async function undoChanges(
  changes: readonly KeptChange[],
  how: UndoHow,
  files: UndoFiles,
  ask: AskAboutConflict,
  signal: AbortSignal,
): Promise<UndoResult> {
  const wanted = stepsOf(changes, how);
  if (wanted.length === 0) return { kind: 'nothing' };
  const left: string[] = [];
  const ready: ReadyStep[] = [];
  for (const step of wanted) {
    const now = await files.look(step.path);
    if (!now.ok) left.push(now.failure);
    else ready.push({ ...step, now: now.value });
  }
  const agreed: ReadyStep[] = [];
  for (const step of ready) {
    const conflict = conflictOf(step);
    const answer = conflict === undefined ? 'overwrite' : await answerTo(conflict, ask, signal);
    if (answer === 'cancel') return { kind: 'cancelled' };
    if (answer === 'overwrite') agreed.push(step);
    else left.push(`${files.shown(step.path)} was changed ${WHEN[conflict?.when ?? 'since']}: it was left as it is.`);
  }
  const done: ReadyStep[] = [];
  for (const step of agreed) {
    if (signal.aborted) {
      left.push(`${files.shown(step.path)} ${STOPPED}`);
      continue;
    }
    const put = await putBack(step, files);
    if (put.ok) done.push(step);
    else left.push(put.failure);
  }
  return { kind: 'done', done: done.flatMap((step) => step.changes), files: done.length, left };
}

/** One file, and what the changes together make of it. */
interface Step {
  readonly path: string;
  readonly from: FileState | undefined;
  readonly to: FileState | undefined;
  readonly changes: readonly KeptChange[];
  /** Whether each change found the file as the one before it left it. */
  readonly isUnbroken: boolean;
}

interface ReadyStep extends Step {
  readonly now: FileNow;
}

function stepsOf(changes: readonly KeptChange[], how: UndoHow): readonly Step[] {
  const state: VersionState = how === 'undo' ? 'applied' : 'undone';
  const byPath = new Map<string, KeptChange[]>();
  for (const change of changes)
    if (change.state === state) byPath.set(change.path, [...(byPath.get(change.path) ?? []), change]);
  return [...byPath].map(([path, ofPath]) => {
    const [before, after] = [ofPath[0]?.before, ofPath.at(-1)?.after];
    const [from, to] = how === 'undo' ? [after, before] : [before, after];
    // What somebody else put in between is lost only on the way back: it is part of what the last change made.
    const isUnbroken = how === 'redo' || ofPath.every(({ before: found }, index) => isSame(ofPath[index - 1], found));
    return { path, from, to, changes: ofPath, isUnbroken };
  });
}

/** Whether a change found what the one before it left. The first one of a file finds what there is. */
function isSame(previous: KeptChange | undefined, found: FileState | undefined): boolean {
  if (previous === undefined) return true;
  const { after } = previous;
  if (after === undefined || found === undefined) return after === found;
  return Buffer.compare(after.bytes, found.bytes) === 0;
}

/** Undefined: nobody touched the file, so that it is what it was left as; or it is already what it is to be (after a crash). */
function conflictOf({ path, now, from, to, isUnbroken }: ReadyStep): Conflict | undefined {
  if (holds(now, to)) return undefined;
  if (!holds(now, from)) return { path, when: 'since', now, to };
  return isUnbroken ? undefined : { path, when: 'between', now, to };
}

/** The person may not be there any more when it is stopped. */
async function answerTo(conflict: Conflict, ask: AskAboutConflict, signal: AbortSignal): ReturnType<AskAboutConflict> {
  const stopped = new Promise<'cancel'>((resolve) => {
    if (signal.aborted) resolve('cancel');
    else signal.addEventListener('abort', () => resolve('cancel'), { once: true });
  });
  return Promise.race([stopped, ask(conflict)]);
}

function putBack({ path, now, from, to }: ReadyStep, files: UndoFiles): Promise<Result<void, string>> {
  // Permissions that the changes did not touch are the person's.
  const keepsMode = from !== undefined && to !== undefined && from.mode === to.mode && now.kind === 'file';
  const target = keepsMode ? { ...to, mode: now.state.mode } : to;
  const isThere = holds(now, target) && (now.kind !== 'file' || now.state.mode === target?.mode);
  return isThere ? Promise.resolve(succeeded(undefined)) : files.put(path, now, target);
}

function holds(now: FileNow, state: FileState | undefined): boolean {
  switch (now.kind) {
    case 'absent':
      return state === undefined;
    case 'file':
      return state !== undefined && Buffer.compare(now.state.bytes, state.bytes) === 0;
    case 'editor': {
      const text = state === undefined ? undefined : textOf(state);
      // The editor has one kind of line end for a whole file.
      return text !== undefined && withLf(now.text) === withLf(text);
    }
  }
}

function withLf(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** The text of a file as an editor has it; undefined: it is no text. */
export function textOf({ bytes }: FileState): string | undefined {
  const decoded = decodeBytes(bytes);
  return decoded === undefined ? undefined : shownText(decoded.text);
}

/** What came of it, in words for the person. */
export function undoWords(files: number, left: readonly string[], how: UndoHow): string {
  const verb = how === 'undo' ? 'Undone' : 'Made again';
  return [`${verb} in ${files === 1 ? '1 file' : `${files} files`}.`, ...left].join(' ');
}
