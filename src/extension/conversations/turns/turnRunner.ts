import type { ApprovalAnswer } from '../../../protocol/approval';
import type { Reply } from '../../../protocol/wire';
import type { Transcript } from '../../../protocol/transcript';
import { canCompact, compact, type Compaction } from '../../agent/compaction';
import type { Recorder } from '../../agent/recorder';
import { resumeTurn, runTurn, type TurnInput } from '../../agent/turn';
import { HISTORY_CHARS_PER_TOKEN } from '../../base/limits';
import type { Log } from '../../base/log';
import type { WorkspaceIdentity } from '../../storage/change';
import { StorageError } from '../../storage/storageError';
import type { Approvals } from '../leave/approvals';
import { endLeftOpen, endOpenMessage } from '../saving/endOpenMessage';
import { isLeftOpen, waitingRequest } from '../leave/waitingCall';
import type { JobRunner, RunConversation } from './jobRunner';
import type { LiveServices } from '../liveServices';
import { loadHistory } from '../loadHistory';
import {
  CLOSING,
  CLOSING_NOT_COMPACTED,
  CLOSING_UNANSWERED,
  compactionNotBegun,
  GONE,
  notAnswered,
  notCompacted,
  notSent,
  NOT_COMPACTED,
  NOT_WAITING,
  NOTHING_TO_COMPACT,
  STILL_WAITS,
} from '../replies';
import type { EndedTurn } from './turnEnd';

/** The parts of a live conversation that a turn works on. */
export interface TurnConversation extends Pick<RunConversation, 'live' | 'claimer' | 'record'> {
  readonly workspace: WorkspaceIdentity;
  readonly jobs: JobRunner;
  readonly approvals: Approvals;
}

/** What is done with a model. Answers how it ended. Rejects only for a fault of ours. */
type Work = (input: TurnInput, signal: AbortSignal) => Promise<EndedTurn['how']>;

const SENDING = { closing: CLOSING, failed: notSent };
const ANSWERING = { closing: CLOSING_UNANSWERED, failed: notAnswered };
const COMPACTING = { closing: CLOSING_NOT_COMPACTED, failed: compactionNotBegun };

/** Runs the turns of one conversation, and what else a model does in it. */
export class TurnRunner {
  readonly #services: LiveServices;
  readonly #its: TurnConversation;
  readonly #log: Log;

  constructor(services: LiveServices, its: TurnConversation, log: Log) {
    this.#services = services;
    this.#its = its;
    this.#log = log;
  }

  /**
   * Starts a turn; `open` records what it answers, or answers false when that is not there any more. Resolves when it is
   * recorded, or with the reason why it is not: then nothing was recorded and the conversation is as it was.
   */
  async start(model: string, open: () => boolean): Promise<Reply> {
    const { reply } = await this.#its.jobs.begin({
      kind: 'turn',
      event: { type: 'turn_asked', by: 'person', now: this.#services.clock.now() },
      words: SENDING,
      open: () => {
        const { live, record } = this.#its;
        // Only now: as long as the run is not this window's, what waits can still be answered.
        endLeftOpen({ transcript: live.current, record }, this.#services.clock);
        const firstSeq = nextSeq(live.current);
        return open() ? this.#begun(model, firstSeq) : GONE;
      },
      work: (recorder, signal) =>
        this.#withModel(model, recorder, signal, async (input) => {
          await runTurn(input, signal);
          return this.#howItEnded();
        }),
    });
    return reply;
  }

  /**
   * Goes on with the turn of which a call waits for leave while nobody runs it, by the person's answer. Resolves when it
   * goes on, or with the reason why it does not: then the call waits as before, unless somebody else answered it.
   */
  async resume(model: string, requestId: string, answer: ApprovalAnswer): Promise<Reply> {
    const { live, approvals, jobs } = this.#its;
    let seq = 0;
    const { reply } = await jobs.begin({
      kind: 'turn',
      event: { type: 'approval_answered', now: this.#services.clock.now() },
      words: ANSWERING,
      open: () => {
        const last = live.current.messages.at(-1);
        if (last === undefined || waitingRequest(last, requestId) === undefined) return NOT_WAITING;
        seq = last.seq;
        approvals.give(requestId, answer);
        return this.#begun(model, seq);
      },
      work: (recorder, signal) =>
        this.#withModel(model, recorder, signal, async (input) => {
          await resumeTurn(input, seq, signal);
          return this.#howItEnded();
        }),
    });
    return reply;
  }

  /** Summarises what is older for the model. Resolves when that is done or stopped, or with the reason why it is not. */
  async compact(model: string): Promise<Reply> {
    const { live, jobs } = this.#its;
    // What is older may be in the file alone: it is read before it is summarised.
    const canBegin = (): boolean => live.current.hasOlder || canCompact(live.current.messages);
    if (!canBegin()) return NOTHING_TO_COMPACT;
    let outcome: Reply = NOT_COMPACTED;
    const { reply, run } = await jobs.begin({
      kind: 'compaction',
      event: { type: 'compaction_asked', now: this.#services.clock.now() },
      words: COMPACTING,
      open: () => {
        if (isLeftOpen(live.current)) return STILL_WAITS;
        return canBegin() ? this.#begun(model, nextSeq(live.current)) : NOTHING_TO_COMPACT;
      },
      work: (recorder, signal) =>
        this.#withModel(model, recorder, signal, async (input) => {
          outcome = replyTo(await compact(input, signal, 'asked'));
          // What waited before goes on waiting: nobody wrote.
          return 'badly';
        }),
    });
    if (!reply.ok) return reply;
    await run;
    return outcome;
  }

  #begun(model: string, firstSeq: number): Reply {
    const { live, claimer, record } = this.#its;
    claimer.opened(firstSeq);
    if (live.current.conversation.model !== model) record({ type: 'conversation_changed', model });
    return { ok: true };
  }

  #howItEnded(): EndedTurn['how'] {
    return this.#its.live.current.messages.at(-1)?.status === 'done' ? 'well' : 'badly';
  }

  /** Never rejects. */
  async #withModel(model: string, recorder: Recorder, signal: AbortSignal, work: Work): Promise<EndedTurn['how']> {
    const { clock, runs } = this.#services;
    const { workspace, live, approvals } = this.#its;
    const stop = runs.begin(model);
    try {
      const { messages, conversation } = live.current;
      const conversationId = conversation.id;
      const settings = await this.#services.prepareTurn({ conversationId, model, workspace, messages }, signal);
      await this.#loadHistory(settings.contextLength);
      return await work({ ...settings, recorder, clock, model, leave: approvals }, signal);
    } catch (error) {
      this.#log.error('the turn failed', error);
      endOpenMessage(recorder, model, clock);
      return 'badly';
    } finally {
      approvals.turnEnded();
      stop();
    }
  }

  /** A file that cannot be read keeps nobody from chatting: the model is told what is in memory. */
  async #loadHistory(contextLength: number): Promise<void> {
    try {
      await loadHistory(this.#its.live, this.#services.store.reader, contextLength * HISTORY_CHARS_PER_TOKEN);
    } catch (error) {
      this.#log.warn(`older messages cannot be read: ${StorageError.from(error).code}`);
    }
  }
}

function nextSeq({ messages }: Transcript): number {
  return (messages.at(-1)?.seq ?? 0) + 1;
}

function replyTo(compaction: Compaction): Reply {
  switch (compaction.kind) {
    case 'compacted':
    case 'stopped':
      return { ok: true };
    case 'nothing':
      return NOTHING_TO_COMPACT;
    case 'failed':
      return notCompacted(compaction.failure.detail);
  }
}
