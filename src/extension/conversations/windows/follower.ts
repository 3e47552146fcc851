import type { TranscriptEvent } from '../../../protocol/event';
import type { ConversationId } from '../../../protocol/ids';
import type { Message } from '../../../protocol/message';
import { messageAt, type Transcript } from '../../../protocol/transcript';
import type { StoredMode } from '../../storage/change';
import type { FeedChange } from '../../storage/reading/changeFeed';
import type { Reader } from '../../storage/reading/reader';
import type { ChunkCursor, Update } from '../../storage/reading/update';

/**
 * Turns what another window wrote to a conversation into events for the transcript that this window holds of it. The
 * events, folded, give the transcript that reading it anew would give.
 */
export class Follower {
  readonly #reader: Reader;
  readonly #id: ConversationId;
  #growing: ChunkCursor | undefined;
  #mode: StoredMode | undefined;
  /** What is known to have changed and was not read yet: kept when a read fails. */
  #changes: FeedChange[] = [];

  /** `growing`: where streamed text went on when the transcript was read. */
  constructor(reader: Reader, id: ConversationId, growing: ChunkCursor | undefined) {
    this.#reader = reader;
    this.#id = id;
    this.#growing = growing;
  }

  /** The mode of the conversation as it was read last; undefined: it was not. */
  get mode(): StoredMode | undefined {
    return this.#mode;
  }

  /** The events since the last time, for this transcript. Throws StorageError; then nothing is lost. */
  async catchUp(transcript: Transcript, changes: readonly FeedChange[]): Promise<readonly TranscriptEvent[]> {
    this.#changes.push(...changes);
    const taken = this.#changes.length;
    const first = transcript.messages[0]?.seq ?? 1;
    const seqs = new Set<number>();
    const parts = new Map<string, { seq: number; idx: number }>();
    for (const { kind, seq, idx } of this.#changes) {
      // What is older than what is loaded is read when it is asked for.
      if (seq === undefined || seq < first) continue;
      if (kind === 'message') seqs.add(seq);
      else if (kind === 'part' && idx !== undefined) parts.set(`${seq}:${idx}`, { seq, idx });
    }
    const known = (seq: number): boolean => messageAt(transcript.messages, seq) !== undefined;
    const update = await this.#reader.readUpdate(this.#id, {
      messages: [...seqs].toSorted((a, b) => a - b).map((seq) => ({ seq, known: known(seq) })),
      parts: [...parts.values()].filter(({ seq }) => known(seq)),
      ...(this.#growing === undefined ? {} : { growing: this.#growing }),
    });
    this.#changes = this.#changes.slice(taken);
    if (update === undefined) return [];
    const events = eventsOf(update, transcript, this.#growing, known);
    this.#growing = update.growing;
    this.#mode = update.mode;
    return events;
  }
}

function eventsOf(
  update: Update,
  transcript: Transcript,
  growing: ChunkCursor | undefined,
  known: (seq: number) => boolean,
): readonly TranscriptEvent[] {
  const { title, model } = update.conversation;
  const { conversation } = transcript;
  const events: TranscriptEvent[] = [];
  if (title !== conversation.title || model !== conversation.model)
    events.push({ type: 'conversation_changed', title, ...(model === undefined ? {} : { model }) });
  for (const message of update.messages) if (!known(message.seq)) events.push({ type: 'message_added', message });
  for (const { seq, idx, part } of update.parts.toSorted((a, b) => a.seq - b.seq || a.idx - b.idx))
    events.push({ type: 'part_set', seq, idx, part });
  if (growing !== undefined)
    for (const { at, text } of update.chunks)
      events.push({ type: 'part_delta', seq: growing.seq, idx: growing.idx, at, text });
  for (const message of update.messages) if (known(message.seq)) events.push(...endOf(message));
  return events;
}

function endOf(message: Message): readonly TranscriptEvent[] {
  const { seq, status, reason, detail, usage, notes, endedAt } = message;
  // One that was added whole, as a person's is, has no end of its own.
  if (status === 'streaming' || endedAt === undefined) return [];
  const end = {
    status,
    endedAt,
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    ...(usage === undefined ? {} : { usage }),
    ...(notes === undefined ? {} : { notes }),
  };
  return [{ type: 'message_ended', seq, end }];
}
