import { ulid } from 'ulid';
import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval';
import type { ToolPart } from '../../protocol/part';
import { messageAt } from '../../protocol/transcript';
import type { SerialQueue } from '../base/serialQueue';
import type { ModelToolCall } from '../ollama/modelClient';
import type { Action } from '../tools/action';
import type { Decision } from '../tools/permissions/decision';
import { digestOf } from '../tools/permissions/digest';
import { subjectOf } from '../tools/permissions/subject';
import { refused, type ReadyCall, type ToolOutcome } from '../tools/tool';
import { deniedWords } from './hints';
import { LiveOutput } from './liveOutput';
import type { PartPlace } from './recorder';
import type { TurnInput } from './turn';

/** What running calls needs. */
export type CallInput = Pick<TurnInput, 'recorder' | 'clock' | 'tools' | 'leave'>;

/** How a call ended. `denied`: by the person. `stopped`: the turn was aborted first; then the call has no end yet. */
export type CallEnd =
  | { readonly kind: 'answered'; readonly outcome: ToolOutcome }
  | { readonly kind: 'denied' }
  | { readonly kind: 'stopped' };

const STOPPED: CallEnd = { kind: 'stopped' };

/**
 * One call of a message, from its plan to its result. Everything that becomes of it is recorded, and nothing is done
 * before leave for it is given and it is written down that it begins.
 */
export class ToolCall {
  readonly #input: CallInput;
  readonly #place: PartPlace;
  readonly #asking: SerialQueue;
  /** Put behind what the model is told of it. */
  readonly #warning: string;

  /** `asking`: the person is asked one thing at a time. */
  constructor(input: CallInput, place: PartPlace, asking: SerialQueue, warning = '') {
    this.#input = input;
    this.#place = place;
    this.#asking = asking;
    this.#warning = warning;
  }

  /** Ends the call with what is known without running it. */
  answer(outcome: ToolOutcome): CallEnd {
    const part = this.#part();
    if (part === undefined) return STOPPED;
    this.#end(part, outcome);
    return { kind: 'answered', outcome };
  }

  /**
   * Plans the call, gets leave for it and makes it. One that waited for leave in an earlier life goes on with the answer
   * to that. `begins` is called when it is made, and told whether that may leave something otherwise than it was. Never
   * rejects.
   */
  async run(
    { name, arguments: args }: ModelToolCall,
    signal: AbortSignal,
    begins: (effects: boolean) => void,
  ): Promise<CallEnd> {
    const { tools, leave } = this.#input;
    const part = this.#part();
    if (part === undefined || signal.aborted) return STOPPED;
    const asked = part.state === 'awaiting_approval' ? part.approval : undefined;
    const given = asked === undefined ? undefined : leave.given(asked);
    // What is denied is not even planned.
    if (given?.kind === 'deny') return this.#denied(given, asked);
    const planned = await tools.plan(name, args, signal);
    if (signal.aborted) return STOPPED;
    if (planned.kind === 'answered') return this.answer(planned.outcome);
    const refusal = await this.#permit(planned, given === undefined ? undefined : asked, signal);
    if (refusal !== undefined) return refusal;
    begins(hasEffects(planned.action));
    return this.#make(planned, signal);
  }

  /** Undefined: the call stands in the transcript as running, and may be made. Otherwise, how it ended without that. */
  async #permit(
    planned: ReadyCall,
    answered: ApprovalRequest | undefined,
    signal: AbortSignal,
  ): Promise<CallEnd | undefined> {
    const { recorder } = this.#input;
    const { action } = planned;
    if (action === undefined) {
      this.#begin(planned);
      await recorder.gate();
      return signal.aborted ? STOPPED : undefined;
    }
    let request = answered;
    let saved = await recorder.gate();
    for (;;) {
      const known = saved;
      const refusal = await this.#asking.run(() => this.#getLeave(planned, action, !known, request, signal));
      if (refusal !== undefined) return refusal;
      saved = await recorder.gate();
      if (signal.aborted) return STOPPED;
      if (saved || !known || !hasEffects(action)) return undefined;
      // That it begins could not be written down, which nobody knew when leave was given.
      request = undefined;
    }
  }

  /** As {@link #permit}, with what is known of the file. What is decided is decided by the state of this moment. */
  async #getLeave(
    planned: ReadyCall,
    action: Action,
    unsaved: boolean,
    answered: ApprovalRequest | undefined,
    signal: AbortSignal,
  ): Promise<CallEnd | undefined> {
    const { leave } = this.#input;
    if (signal.aborted) return STOPPED;
    const decision = await leave.decide(action, unsaved);
    if (signal.aborted) return STOPPED;
    if (decision.kind === 'refuse') return this.answer(refused(decision.sentence, 'not allowed'));
    const digest = digestOf(planned);
    const covering = answered !== undefined && covers(answered, digest, decision) ? answered : undefined;
    let asked = covering;
    if (asked === undefined && decision.kind === 'ask') {
      asked = this.#ask(planned, action, digest, decision);
    }
    if (asked === undefined) {
      this.#begin(planned);
      return undefined;
    }
    const answer = await leave.answer(asked, action, signal);
    if (answer === undefined || signal.aborted) return STOPPED;
    if (answer.kind === 'deny') return this.#denied(answer, asked);
    this.#begin(planned, asked, answer);
    return undefined;
  }

  #ask(
    { version }: ReadyCall,
    action: Action,
    digest: string,
    { reasons, grants }: Extract<Decision, { kind: 'ask' }>,
  ): ApprovalRequest {
    const { recorder, clock } = this.#input;
    const subject = subjectOf(action);
    const request: ApprovalRequest = { id: ulid(), askedAt: clock.now(), subject, reasons, grants, digest };
    // Whoever sees the request can look at what the file would become.
    if (version !== undefined) recorder.keep(this.#place, version, 'proposed');
    const part = this.#made();
    if (part !== undefined) this.#set({ ...part, state: 'awaiting_approval', approval: request });
    return request;
  }

  /** Written down before anything is done. */
  #begin({ action, version }: ReadyCall, approval?: ApprovalRequest, answer?: ApprovalAnswer): void {
    const part = this.#made();
    if (part === undefined) return;
    this.#set({
      ...part,
      state: 'running',
      ...(hasEffects(action) ? { effects: true } : {}),
      // Nobody may be there to say so when it is done: what is written must be found, to be taken back.
      ...(action?.kind === 'edit' ? { change: action.change } : {}),
      ...(approval === undefined ? {} : { approval }),
      ...(answer === undefined ? {} : { answer }),
      startedAt: this.#input.clock.now(),
    });
    if (version !== undefined) this.#input.recorder.keep(this.#place, version, 'applied');
  }

  async #make(planned: ReadyCall, signal: AbortSignal): Promise<CallEnd> {
    const { recorder, clock } = this.#input;
    const live = new LiveOutput(clock, (output) => recorder.record({ type: 'tool_output', ...this.#place, output }));
    const outcome = await planned.run({ signal, output: (output) => live.push(output) });
    live.end(signal.aborted);
    const part = this.#part();
    if (part === undefined || signal.aborted) return STOPPED;
    this.#end(part, outcome);
    // A tool that fails leaves the file as it was.
    if (planned.version !== undefined && !outcome.ok) recorder.keep(this.#place, planned.version, 'proposed');
    return { kind: 'answered', outcome };
  }

  #end(before: ToolPart, { ok, content, summary, exitCode, image, change }: ToolOutcome): void {
    const { output: _, change: __, ...part } = before;
    this.#set({
      ...part,
      state: ok ? 'done' : 'error',
      ...(change === undefined ? {} : { change }),
      endedAt: this.#input.clock.now(),
      result: {
        content: content + this.#warning,
        summary,
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(image === undefined ? {} : { image }),
      },
    });
  }

  #denied(answer: Extract<ApprovalAnswer, { kind: 'deny' }>, approval: ApprovalRequest | undefined): CallEnd {
    const part = this.#made();
    if (part === undefined) return STOPPED;
    this.#set({
      ...part,
      state: 'denied',
      ...(approval === undefined ? {} : { approval }),
      answer,
      endedAt: this.#input.clock.now(),
      result: { content: deniedWords(answer.words) + this.#warning, summary: 'denied' },
    });
    return { kind: 'denied' };
  }

  /** The call as the model made it, without what became of it. */
  #made(): ToolPart | undefined {
    const part = this.#part();
    if (part === undefined) return undefined;
    const { type, name, callId, arguments: args } = part;
    return { type, name, ...(callId === undefined ? {} : { callId }), arguments: args, state: 'pending' };
  }

  #part(): ToolPart | undefined {
    const { seq, idx } = this.#place;
    const part = messageAt(this.#input.recorder.transcript.messages, seq)?.parts[idx];
    return part?.type === 'tool' ? part : undefined;
  }

  #set(part: ToolPart): void {
    this.#input.recorder.record({ type: 'part_set', ...this.#place, part });
  }
}

/** Whether doing it leaves something otherwise than it was. */
function hasEffects(action: Action | undefined): boolean {
  return action !== undefined && action.kind !== 'read';
}

/** Whether leave for the request is leave for what would be done now: the same thing, asked for no other reason. */
function covers({ digest, reasons }: ApprovalRequest, now: string, decision: Decision): boolean {
  if (digest !== now) return false;
  return decision.kind !== 'ask' || decision.reasons.every((reason) => reasons.includes(reason));
}
