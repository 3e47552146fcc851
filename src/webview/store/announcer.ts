import { signal, type ReadonlySignal } from '@preact/signals';
import type { LiveView } from '../../protocol/hydration';
import type { PullState, RunState, WindowFacts } from '../../protocol/status';
import { subjectWords } from '../../protocol/approval';
import { approvalWords } from '../approvalWords';
import { modelWords } from '../modelWords';
import { plain } from '../plain';
import { strings } from '../strings';
import { endingOf } from './ending';
import { modelInfo, pullOf } from './modelName';
import { wholeAnswer } from './rows';
import type { Waiting } from './waiting';

/** What there was to speak of the last time. */
interface Seen {
  readonly conversation: string;
  readonly run: RunState['kind'];
  readonly queued: number;
  /** `seq` of the last message. */
  readonly last: number | undefined;
  /** `seq` of the last message, when it failed for good. */
  readonly failed: number | undefined;
}

/**
 * What is spoken to those who do not see the page. The transcript itself is silent: a live region that changes with
 * every token cannot be listened to.
 */
export class Announcer {
  readonly #status = signal('');
  readonly #alert = signal('');
  #before: Seen | undefined;
  #pulls: readonly PullState[] = [];
  readonly #asked = new Set<string>();

  /** Spoken when nothing else is being said. */
  get status(): ReadonlySignal<string> {
    return this.#status;
  }

  /** Spoken at once. */
  get alert(): ReadonlySignal<string> {
    return this.#alert;
  }

  say(text: string): void {
    this.#status.value = text;
  }

  warn(text: string): void {
    this.#alert.value = text;
  }

  /** Says what has become of models that are pulled. One that was cancelled is not spoken of. */
  followPulls(facts: WindowFacts): void {
    const before = this.#pulls.filter(({ kind }) => kind === 'pulling');
    this.#pulls = facts.pulls ?? [];
    for (const { model } of before) {
      const now = pullOf(facts, model);
      if (now?.kind === 'failed') this.warn(modelWords.notPulled(model, now.why));
      else if (now === undefined && modelInfo(facts, model) !== undefined) this.say(modelWords.pulled(model));
    }
  }

  /** Says what the person is asked for, each request once. Also at the first sight of a conversation: it waits for them. */
  followWaiting(waiting: readonly Waiting[]): void {
    // So that the same words are spoken again for the next request.
    if (waiting.length === 0 && this.#asked.size > 0) this.warn('');
    for (const { request } of waiting) {
      if (this.#asked.has(request.id)) continue;
      this.#asked.add(request.id);
      this.warn(approvalWords.needed(plain(subjectWords(request.subject))));
    }
  }

  /** Says what has changed since the last time. The first sight of a conversation is not a change. */
  follow(live: LiveView): void {
    const conversation = live.transcript.conversation.id;
    const run = live.status.run.kind;
    const queued = live.status.queue.length;
    const last = live.transcript.messages.at(-1);
    // What could not be read is asked for again as long as it runs.
    const failing = last?.status === 'error' && (last.reason !== 'model_fault' || run === 'idle');
    const failed = failing ? last.seq : undefined;
    const before = this.#before;
    this.#before = { conversation, run, queued, last: last?.seq, failed };
    if (before?.conversation !== conversation) return;
    if (queued > before.queued) this.say(strings.queue.name(queued));
    if (before.run === 'idle' && run !== 'idle') this.say(strings.replyStarted);
    // One that another window took over did not finish: that it runs there is said by its banner.
    if (before.run !== 'idle' && run === 'idle' && live.status.owner !== 'elsewhere') this.say(strings.replyFinished);
    if (last?.origin === 'host' && last.seq !== before.last) this.say(strings.compaction.text);
    if (last === undefined || failed === undefined || failed === before.failed) return;
    const steps = wholeAnswer(live.transcript.messages, [last]).length;
    const ending = endingOf(last, { host: '', steps, held: false, replaced: false });
    if (ending !== undefined) this.warn(ending.lead);
  }
}
