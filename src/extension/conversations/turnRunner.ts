import type { TranscriptEvent } from '../../protocol/event';
import type { ContextMeter, RunStep } from '../../protocol/status';
import type { Transcript } from '../../protocol/transcript';
import type { Reply } from '../../protocol/wire';
import type { Recorder } from '../agent/recorder';
import { canCompact, compact, type Compaction } from '../agent/compaction';
import type { Leave } from '../agent/leave';
import { runTurn, type AbortReason, type TurnInput } from '../agent/turn';
import { HISTORY_CHARS_PER_TOKEN } from '../base/limits';
import type { Log } from '../base/log';
import type { SerialQueue } from '../base/serialQueue';
import type { Change, WorkspaceIdentity } from '../storage/change';
import { StorageError } from '../storage/storageError';
import { endOpenMessage } from './endOpenMessage';
import type { FileSync } from './fileSync';
import type { LiveServices } from './liveServices';
import type { LiveTranscript } from './liveTranscript';
import type { MailboxEvent, MailboxState, MailboxStep } from './mailbox';
import { loadHistory } from './loadHistory';
import { CLOSING, FOLLOWING, GONE, notCompacted, notSent, NOT_COMPACTED, NOTHING_TO_COMPACT } from './replies';
import type { RunClaimer } from './runClaim';
import type { SaveWatch } from './saveWatch';
import type { EndedTurn } from './turnEnd';
import { Yielder } from './yielder';

/** The parts of a live conversation that a turn works on. */
export interface RunConversation {
  readonly workspace: WorkspaceIdentity;
  readonly live: LiveTranscript;
  readonly claimer: RunClaimer;
  readonly save: SaveWatch;
  readonly file: FileSync;
  /** Claims and looks at the file, one at a time. */
  readonly looks: SerialQueue;
  mailbox(): MailboxState;
  post(event: MailboxEvent): MailboxStep;
  record(event: TranscriptEvent): void;
  write(change: Change): void;
  /** Queues the conversation's own row for the file, if that does not hold it. */
  create(): void;
  /** How full the model's window is now. */
  measured(meter: ContextMeter): void;
  /** A turn was asked for and refused. */
  refused(): void;
  /** The turn is over and the conversation idle. */
  turnEnded(model: string, how: EndedTurn['how']): void;
}

/** What is done under a claim. Answers how it ended. Rejects only for a fault of ours. */
type Work = (input: TurnInput, signal: AbortSignal) => Promise<EndedTurn['how']>;

/** What can go on in a conversation. */
type Job = 'turn' | 'compaction';

/** What came of asking for a job: `reply` when it has begun or is refused, `run` when all that goes on has ended. */
interface Begun {
  readonly reply: Reply;
  readonly run: Promise<void>;
}

/** Runs the turns of one conversation, one at a time, each under a run that it claims for this window first. */
export class TurnRunner {
  readonly #services: LiveServices;
  readonly #its: RunConversation;
  readonly #log: Log;
  #abort: AbortController | undefined;
  #yielder: Yielder | undefined;
  #run: Promise<void> = Promise.resolve();
  #closing = false;
  #job: Job | undefined;

  constructor(services: LiveServices, its: RunConversation, log: Log) {
    this.#services = services;
    this.#its = its;
    this.#log = log;
  }

  /**
   * Starts a turn; `open` records what it answers, or answers false when that is not there any more. Resolves when it is
   * recorded, or with the reason why it is not: then nothing was recorded and the conversation is as it was.
   */
  async start(model: string, open: () => boolean): Promise<Reply> {
    const asked = { type: 'turn_asked', by: 'person', now: this.#services.clock.now() } as const;
    const { reply } = await this.#begin('turn', asked, model, open, async (input, signal) => {
      await runTurn(input, signal);
      return this.#its.live.current.messages.at(-1)?.status === 'done' ? 'well' : 'badly';
    });
    return reply;
  }

  /** Summarises what is older for the model. Resolves when that is done or stopped, or with the reason why it is not. */
  async compact(model: string): Promise<Reply> {
    // What is older may be in the file alone: it is read before it is summarised.
    const open = (): boolean => this.#its.live.current.hasOlder || canCompact(this.#its.live.current.messages);
    if (!open()) return NOTHING_TO_COMPACT;
    const asked = { type: 'compaction_asked', now: this.#services.clock.now() } as const;
    let outcome: Reply = NOT_COMPACTED;
    const { reply, run } = await this.#begin('compaction', asked, model, open, async (input, signal) => {
      const compaction = await compact(input, signal, 'asked');
      outcome = replyTo(compaction);
      // What waited before goes on waiting: nobody wrote.
      return 'badly';
    });
    if (!reply.ok) return reply;
    await run;
    return outcome;
  }

  /** Whether what goes on is an answer; not so while messages are summarised because the person asked for it. */
  get answering(): boolean {
    return this.#job === 'turn';
  }

  async #begin(job: Job, event: MailboxEvent, model: string, open: () => boolean, work: Work): Promise<Begun> {
    if (this.#closing) return { reply: CLOSING, run: this.#run };
    const asked = this.#its.post(event);
    if (!asked.ok) return { reply: asked, run: this.#run };
    this.#job = job;
    const abort = new AbortController();
    this.#abort = abort;
    // A turn that was lost to another window may still be unwinding.
    const started = this.#run.then(() => this.#its.looks.run(() => this.#claimAndOpen(model, open)));
    // From now on closing the window waits for it, so that what was accepted is handed to the writer.
    this.#run = started.then((reply) => (reply.ok ? this.#runJob(model, abort, work) : undefined));
    const run = this.#run;
    return { reply: await started, run };
  }

  /** Ends the turn that goes on, whatever it is at. */
  abort(reason: AbortReason): void {
    this.#abort?.abort(reason);
  }

  /** Another window wants the run: it gets it at the next border of a part. */
  yieldRun(): void {
    const mailbox = this.#its.mailbox();
    this.#yielder ??= new Yielder(
      mailbox.kind === 'running' && mailbox.step.kind === 'tools',
      () => {
        this.#log.info('the run is yielded to another window');
        this.abort('takeover');
      },
      this.#services.clock,
    );
  }

  /** Ends what goes on as interrupted, and begins nothing more. */
  async close(): Promise<void> {
    this.#closing = true;
    this.abort('crash');
    await this.#run;
  }

  /** Never rejects. */
  async #claimAndOpen(model: string, open: () => boolean): Promise<Reply> {
    let reply: Reply;
    try {
      reply = await this.#claim();
    } catch (error) {
      this.#log.error('the claim failed', error);
      reply = notSent(StorageError.from(error));
    }
    if (reply.ok && !this.#open(model, open)) reply = GONE;
    if (!reply.ok) {
      this.#endRun();
      this.#its.post({ type: 'turn_ended' });
      this.#its.refused();
    }
    return reply;
  }

  #open(model: string, open: () => boolean): boolean {
    const { live, claimer } = this.#its;
    const firstSeq = (live.current.messages.at(-1)?.seq ?? 0) + 1;
    if (!open()) return false;
    claimer.opened(firstSeq);
    if (live.current.conversation.model !== model) this.#its.record({ type: 'conversation_changed', model });
    return true;
  }

  /** Makes the run this window's. Whoever gets it first reads what others wrote since it last looked. */
  async #claim(): Promise<Reply> {
    const { claimer, save, file } = this.#its;
    this.#its.create();
    const claim = await claimer.claim(
      (change) => this.#its.write(change),
      () => save.gate(),
    );
    switch (claim.kind) {
      case 'granted':
        if (claim.othersRan) await file.reload();
        return { ok: true };
      case 'elsewhere':
        this.#its.post({ type: 'owned_elsewhere' });
        await file.reload();
        return FOLLOWING;
      case 'failed':
        return notSent(claim.error);
    }
  }

  /** Never rejects. */
  async #runJob(model: string, abort: AbortController, work: Work): Promise<void> {
    const { signal } = abort;
    const { clock, runs, store, watch } = this.#services;
    const { workspace, save, file, looks } = this.#its;
    const stopped = [watch.running(), runs.begin(model)];
    this.#dropYielder();
    const recorder = this.#recorder();
    let how: EndedTurn['how'] = 'badly';
    try {
      const { messages, conversation } = this.#its.live.current;
      const conversationId = conversation.id;
      const settings = await this.#services.prepareTurn({ conversationId, model, workspace, messages }, signal);
      await this.#loadHistory(settings.contextLength);
      how = await work({ ...settings, recorder, clock, model, leave: NO_LEAVE }, signal);
    } catch (error) {
      this.#log.error('the turn failed', error);
      endOpenMessage(recorder, model, clock);
    }
    if (signal.aborted) how = 'stopped';
    for (const stop of stopped) stop();
    this.#dropYielder();
    this.#endRun();
    // Whoever sees it idle, in whichever window, can go on at once.
    await save.gate();
    // Lost to another window meanwhile, and asked for again: the mailbox speaks of the next turn.
    if (this.#abort !== abort) return;
    this.#its.post({ type: 'turn_ended' });
    if (this.#closing) return;
    if (this.#its.mailbox().kind === 'following') {
      await looks.run(() => file.reload()).catch((error: unknown) => this.#log.warn(StorageError.from(error).code));
      return;
    }
    this.#its.turnEnded(model, how);
    await store.checkpoint();
  }

  /** A file that cannot be read keeps nobody from chatting: the model is told what is in memory. */
  async #loadHistory(contextLength: number): Promise<void> {
    try {
      await loadHistory(this.#its.live, this.#services.store.reader, contextLength * HISTORY_CHARS_PER_TOKEN);
    } catch (error) {
      this.#log.warn(`older messages cannot be read: ${StorageError.from(error).code}`);
    }
  }

  #dropYielder(): void {
    this.#yielder?.dispose();
    this.#yielder = undefined;
  }

  /** Lets the run go, if there is one. */
  #endRun(): void {
    const { claimer } = this.#its;
    if (claimer.fence === undefined) return;
    this.#its.write({ type: 'run_ended' });
    claimer.ended();
  }

  #recorder(): Recorder {
    const its = this.#its;
    return {
      get transcript(): Transcript {
        return its.live.current;
      },
      record: (event) => {
        its.record(event);
        this.#yielder?.recorded(event);
      },
      gate: () => its.save.gate(),
      at: (step) => {
        const mailbox = its.mailbox();
        if (mailbox.kind !== 'running' || !sameStep(mailbox.step, step)) its.post({ type: 'step', step });
      },
      context: (meter) => its.measured(meter),
    };
  }
}

const NO_LEAVE: Leave = {
  decide: () => Promise.resolve({ kind: 'refuse', sentence: 'Nothing may be changed here.' }),
  answer: () => Promise.resolve(undefined),
};

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

function sameStep(a: RunStep, b: RunStep): boolean {
  return a.kind === b.kind && JSON.stringify(a) === JSON.stringify(b);
}
