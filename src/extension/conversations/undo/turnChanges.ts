import type { ConversationId } from '../../../protocol/ids';
import { isOwnMessage, type Message } from '../../../protocol/message';
import { withOlderPage, type Transcript } from '../../../protocol/transcript';
import type { FileState } from '../../base/fileVersion';
import type { Reader } from '../../storage/reading/reader';
import type { KeptChange } from './undo';

/** What can be undone together: a turn, from the person's message to the next one of theirs, or one call of it. */
export interface ChangeRange {
  readonly fromSeq: number;
  readonly toSeq: number;
  /** Only what this call of the message `fromSeq` changed. */
  readonly idx?: number;
}

/**
 * A transcript with older pages put before it until it holds the whole turn that a message belongs to. Throws StorageError.
 */
export async function withTurn(
  transcript: Transcript,
  reader: Pick<Reader, 'readOlderPage'>,
  seq: number,
): Promise<Transcript> {
  let longer = transcript;
  for (;;) {
    const first = longer.messages[0];
    const isThere = longer.messages.some((message) => message.seq <= seq && isOwnMessage(message));
    if (isThere || !longer.hasOlder || first === undefined) return longer;
    const page = await reader.readOlderPage(longer.conversation.id, first.seq);
    longer = withOlderPage(longer, page.messages, page.hasOlder);
  }
}

/** The turn that a message belongs to, of a transcript {@link withTurn}. */
export function turnOf(messages: readonly Message[], seq: number): ChangeRange {
  const first = messages.findLast((message) => message.seq <= seq && isOwnMessage(message));
  const next = messages.find((message) => message.seq > seq && isOwnMessage(message));
  return {
    fromSeq: first?.seq ?? messages[0]?.seq ?? seq,
    toSeq: (next?.seq ?? (messages.at(-1)?.seq ?? seq) + 1) - 1,
  };
}

/** The newest turn with changes of files that are not taken back yet; undefined: none is loaded. */
export function lastChangedTurn(messages: readonly Message[]): ChangeRange | undefined {
  const last = messages.findLast(({ parts }) =>
    parts.some((part) => part.type === 'tool' && part.change !== undefined && part.change.undone === undefined),
  );
  return last === undefined ? undefined : turnOf(messages, last.seq);
}

/**
 * What calls in a range made of files, with every byte. `damaged`: paths of which the history does not hold the bytes
 * any more. Throws StorageError.
 */
export async function readChanges(
  reader: Pick<Reader, 'readFileVersions' | 'readVersionBytes'>,
  id: ConversationId,
  { fromSeq, toSeq, idx }: ChangeRange,
): Promise<{ readonly changes: readonly KeptChange[]; readonly damaged: readonly string[] }> {
  const versions = await reader.readFileVersions(id, fromSeq, toSeq);
  const changes: KeptChange[] = [];
  const damaged = new Set<string>();
  const stateOf = async (stored: { readonly hash: string; readonly mode: number }): Promise<FileState | undefined> => {
    const bytes = await reader.readVersionBytes(stored.hash);
    return bytes === undefined ? undefined : { bytes, mode: stored.mode };
  };
  for (const { before, after, ...version } of versions) {
    if (version.state === 'proposed' || (idx !== undefined && version.idx !== idx)) continue;
    const [was, is] = [
      before === undefined ? undefined : await stateOf(before),
      after === undefined ? undefined : await stateOf(after),
    ];
    const isWhole = (was === undefined) === (before === undefined) && (is === undefined) === (after === undefined);
    if (isWhole) changes.push({ ...version, before: was, after: is });
    else damaged.add(version.path);
  }
  return { changes: changes.filter(({ path }) => !damaged.has(path)), damaged: [...damaged] };
}
