import type { TranscriptEvent } from '../../../protocol/event';
import type { Reply } from '../../../protocol/wire';
import { waitsForLeave } from '../../agent/calls';
import type { Recorder } from '../../agent/recorder';
import type { AbortReason } from '../../agent/turn';
import type { Log } from '../../base/log';
import type { SerialQueue } from '../../base/serialQueue';
import type { Change } from '../../storage/change';
import { StorageError } from '../../storage/storageError';
import { conversationRecorder, type RecordedConversation } from '../saving/conversationRecorder';
import type { FileSync } from '../windows/fileSync';
import type { LiveServices } from '../liveServices';
import type { MailboxEvent, MailboxStep } from './mailbox';
import { FOLLOWING } from '../replies';
import type { RunClaimer } from './runClaim';
import type { EndedTurn } from './turnEnd';
import { Yielder } from '../windows/yielder';

/** The parts of a live conversation that what is done under a run works on. */
export interface RunConversation extends RecordedConversation {
  readonly claimer: RunClaimer;
  readonly file: FileSync;
  /** Claims and looks at the file, one at a time. */
  readonly looks: SerialQueue;
  post(event: MailboxEvent): MailboxStep;
  write(change: Change): void;
  /** Queues the conversation's own row for the file, if that does not hold it. */
  create(): void;
  /** Something was asked for and refused. */
  refused(): void;
  /** It is over, and the conversation idle. */
  ended(how: EndedTurn['how']): void;
}

/** Something that goes on in a conversation, one at a time. */
export interface Job {
  readonly kind: 'turn' | 'compaction' | 'undo';
  /** Asks the mailbox whether it may begin now. */
  readonly event: MailboxEvent;
  /** What is said when the window is about to end, and when the file does not allow it. */
  readonly words: { readonly closing: Reply; failed(error: StorageError): Reply };
  /** Begins it, once the run is had, in one synchronous step; or says why it cannot begin any more. */
  open(): Reply;
  /** Answers how it ended. Rejects for nothing. */
  work(recorder: Recorder, signal: AbortSignal): Promise<EndedTurn['how']>;
}

/** What came of asking for a job: `reply` when it has begun or is refused, `run` when all that goes on has ended. */
interface Begun {
  readonly reply: Reply;
  readonly run: Promise<void>;
}

/** Does what is asked of one conversation, one job at a time, each under a run that it claims for this window first. */
export class JobRunner {
  readonly #services: Pick<LiveServices, 'clock' | 'store' | 'watch'>;
  readonly #its: RunConversation;
  readonly #log: Log;
  #abort: AbortController | undefined;
  #yielder: Yielder | undefined;
  #run: Promise<void> = Promise.resolve();
  #closing = false;
  #job: Job['kind'] | undefined;

  constructor(services: Pick<LiveServices, 'clock' | 'store' | 'watch'>, its: RunConversation, log: Log) {
    this.#services = services;
    this.#its = its;
    this.#log = log;
  }

  /** What goes on, or went on last. */
  get job(): Job['kind'] | undefined {
    return this.#job;
  }

  /** Begins a job. A refusal leaves the conversation as it was. Never rejects. */
  async begin(job: Job): Promise<Begun> {
    if (this.#closing) return { reply: job.words.closing, run: this.#run };
    const asked = this.#its.post(job.event);
    if (!asked.ok) return { reply: asked, run: this.#run };
    this.#job = job.kind;
    const abort = new AbortController();
    this.#abort = abort;
    // A turn that was lost to another window may still be unwinding.
    const started = this.#run.then(() => this.#its.looks.run(() => this.#claimAndOpen(job)));
    // From now on closing the window waits for it, so that what was accepted is handed to the writer.
    this.#run = started.then((reply) => (reply.ok ? this.#do(job, abort) : undefined));
    const run = this.#run;
    return { reply: await started, run };
  }

  /** Ends what goes on, whatever it is at. */
  abort(reason: AbortReason): void {
    this.#abort?.abort(reason);
  }

  /** Another window wants the run: it gets it at the next border of a part. */
  yieldRun(): void {
    const mailbox = this.#its.mailbox();
    const toolRuns = mailbox.kind === 'undoing' || (mailbox.kind === 'running' && mailbox.step.kind === 'tools');
    this.#yielder ??= new Yielder(
      toolRuns,
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
  async #claimAndOpen(job: Job): Promise<Reply> {
    let reply: Reply;
    try {
      reply = await this.#claim(job);
      if (reply.ok) reply = job.open();
    } catch (error) {
      this.#log.error('the claim failed', error);
      reply = job.words.failed(StorageError.from(error));
    }
    if (!reply.ok) {
      this.#its.post({ type: this.#endRun() });
      this.#its.refused();
    }
    return reply;
  }

  /** Makes the run this window's. Whoever gets it first reads what others wrote since it last looked. */
  async #claim({ words }: Job): Promise<Reply> {
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
        return words.failed(claim.error);
    }
  }

  /** Never rejects. */
  async #do(job: Job, abort: AbortController): Promise<void> {
    const { signal } = abort;
    const { store, watch } = this.#services;
    const { save, file, looks } = this.#its;
    const stopWatching = watch.running();
    this.#dropYielder();
    const recorder = conversationRecorder(this.#its, (event) => this.#recorded(event));
    const how = await job.work(recorder, signal);
    stopWatching();
    this.#dropYielder();
    const ended = this.#endRun();
    // Whoever sees it idle, in whichever window, can go on at once.
    await save.gate();
    // Lost to another window meanwhile, and asked for again: the mailbox speaks of the next job.
    if (this.#abort !== abort) return;
    this.#its.post({ type: ended });
    if (this.#closing) return;
    if (this.#its.mailbox().kind === 'following') {
      await looks.run(() => file.reload()).catch((error: unknown) => this.#log.warn(StorageError.from(error).code));
      return;
    }
    this.#its.ended(signal.aborted ? 'stopped' : how);
    await store.checkpoint();
  }

  #recorded(event: TranscriptEvent): void {
    this.#yielder?.recorded(event);
  }

  #dropYielder(): void {
    this.#yielder?.dispose();
    this.#yielder = undefined;
  }

  /** Lets the run go, if there is one. Calls that wait for leave go on waiting for it, without a run. */
  #endRun(): 'turn_ended' | 'turn_suspended' {
    const { claimer, live } = this.#its;
    const last = live.current.messages.at(-1);
    const waits = last?.status === 'streaming' && waitsForLeave(live.current, last.seq);
    if (claimer.fence !== undefined) {
      this.#its.write({ type: waits ? 'run_suspended' : 'run_ended' });
      claimer.ended();
    }
    return waits ? 'turn_suspended' : 'turn_ended';
  }
}
