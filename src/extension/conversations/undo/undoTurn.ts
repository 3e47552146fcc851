import type { TranscriptEvent } from '../../../protocol/event';
import { messageAt, type Transcript } from '../../../protocol/transcript';
import type { Change } from '../../storage/change';
import type { Reader } from '../../storage/reading/reader';
import { readChanges, turnOf, withTurn } from './turnChanges';
import { undoChanges, undoWords, type AskAboutConflict, type KeptChange, type UndoFiles, type UndoHow } from './undo';

/** A conversation whose run this window holds, so that nobody else writes it meanwhile. */
export interface UndoneConversation {
  readonly transcript: Transcript;
  record(event: TranscriptEvent): void;
  write(change: Change): void;
  /** Resolves when everything so far is in the file, or when it cannot be now. Answers whether it is there. */
  gate(): Promise<boolean>;
  /** Aborts when the conversation is this window's no longer: nothing may be touched from then on. */
  readonly signal: AbortSignal;
}

/** What is to be undone: the turn that the message `seq` belongs to, or only its call at `idx`. */
export interface UndoAsked {
  readonly seq: number;
  readonly idx?: number;
  readonly how: UndoHow;
}

/** What undo needs of its surroundings. */
export interface UndoServices {
  readonly reader: Pick<Reader, 'readOlderPage' | 'readFileVersions' | 'readVersionBytes'>;
  readonly files: UndoFiles;
  readonly ask: AskAboutConflict;
}

/** How much of what was wanted is done, as it can be seen in the transcript, with a sentence for the person. */
export interface UndoReport {
  readonly done: 'all' | 'some' | 'none';
  readonly sentence: string;
}

/**
 * Takes back what calls changed in files, or makes it again, and writes down that it did. Files come first: when
 * the window dies between the two, they are found as they are to be the next time. Throws StorageError when the history
 * cannot be read; then nothing was touched.
 */
export async function undoInConversation(
  conversation: UndoneConversation,
  { seq, idx, how }: UndoAsked,
  { reader, files, ask }: UndoServices,
): Promise<UndoReport> {
  if (!(await conversation.gate())) return NOT_WRITTEN;
  const longer = await withTurn(conversation.transcript, reader, seq);
  const range = idx === undefined ? turnOf(longer.messages, seq) : { fromSeq: seq, toSeq: seq, idx };
  const { changes, damaged } = await readChanges(reader, longer.conversation.id, range);
  const result = await undoChanges(changes, how, files, ask, conversation.signal);
  const lost = damaged.map(
    (path) => `${files.shown(path)} cannot be put back: the history does not hold what it was any more.`,
  );
  switch (result.kind) {
    case 'cancelled':
      return { done: 'none', sentence: 'Nothing was changed.' };
    case 'nothing':
      return { done: 'none', sentence: lost.length === 0 ? NOTHING[how] : lost.join(' ') };
    case 'done': {
      for (const change of result.done) note(conversation, longer, change, how);
      const left = [...result.left, ...lost];
      if (result.files === 0) return { done: 'none', sentence: left.join(' ') };
      return { done: left.length === 0 ? 'all' : 'some', sentence: undoWords(result.files, left, how) };
    }
  }
}

/** What a file held is in the history file only. */
const NOT_WRITTEN: UndoReport = {
  done: 'none',
  sentence: 'The history file cannot be written now. Try again when it can. Nothing was changed.',
};

const NOTHING: { readonly [How in UndoHow]: string } = {
  undo: 'There is no change of a file left to undo here.',
  redo: 'There is no change of a file left to make again here.',
};

/** The part may be of a message that is in the file only: views that show it are told all the same. */
function note(
  conversation: UndoneConversation,
  longer: Transcript,
  { seq, idx, path }: KeptChange,
  how: UndoHow,
): void {
  conversation.write({ type: 'file_version_changed', seq, idx, path, state: how === 'undo' ? 'undone' : 'applied' });
  const part = messageAt(longer.messages, seq)?.parts[idx];
  if (part?.type !== 'tool' || part.change === undefined) return;
  const { undone: _, ...change } = part.change;
  const changed = how === 'undo' ? { ...change, undone: true as const } : change;
  conversation.record({ type: 'part_set', seq, idx, part: { ...part, change: changed } });
}
