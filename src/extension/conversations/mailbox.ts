import type { RunState, RunStep } from '../../protocol/status';

/** What a live conversation does. Only {@link nextState} changes it; everything else posts events. */
export type MailboxState =
  | { readonly kind: 'idle' }
  /** A turn goes on; `startedAt` in epoch ms. */
  | { readonly kind: 'running'; readonly step: RunStep; readonly startedAt: number }
  /** Stop was asked for; the turn has not ended yet. */
  | { readonly kind: 'stopping'; readonly startedAt: number }
  /** Another window runs it; this one only reads. */
  | { readonly kind: 'following' };

export type MailboxEvent =
  | { readonly type: 'turn_asked'; readonly now: number }
  | { readonly type: 'step'; readonly step: RunStep }
  | { readonly type: 'stop_asked' }
  | { readonly type: 'turn_ended' }
  | { readonly type: 'owned_elsewhere' }
  | { readonly type: 'owner_gone' };

/** The state after an event, or why the event is refused now, in words for the person. */
export type MailboxStep =
  { readonly ok: true; readonly state: MailboxState } | { readonly ok: false; readonly message: string };

const BUSY = 'The answer before this one is still being written. Stop it first, or wait until it is done.';
const STOPPING = 'The answer before this one is being stopped. Try again in a moment.';
export const FOLLOWING_SENTENCE = 'This conversation runs in another window. You can write here when it ends.';

/** Total: every event has an answer in every state. */
export function nextState(state: MailboxState, event: MailboxEvent): MailboxStep {
  switch (event.type) {
    case 'turn_asked':
      return whenTurnAsked(state, event.now);
    case 'step':
      return to(state.kind === 'running' ? { ...state, step: event.step } : state);
    case 'stop_asked':
      return to(state.kind === 'running' ? { kind: 'stopping', startedAt: state.startedAt } : state);
    case 'turn_ended':
      return to(state.kind === 'running' || state.kind === 'stopping' ? { kind: 'idle' } : state);
    case 'owned_elsewhere':
      return to({ kind: 'following' });
    case 'owner_gone':
      return to(state.kind === 'following' ? { kind: 'idle' } : state);
  }
}

function whenTurnAsked(state: MailboxState, now: number): MailboxStep {
  switch (state.kind) {
    case 'idle':
      return to({ kind: 'running', step: { kind: 'waiting' }, startedAt: now });
    case 'running':
      return { ok: false, message: BUSY };
    case 'stopping':
      return { ok: false, message: STOPPING };
    case 'following':
      return { ok: false, message: FOLLOWING_SENTENCE };
  }
}

function to(state: MailboxState): MailboxStep {
  return { ok: true, state };
}

/** What a view is told of the state. */
export function runState(mailbox: MailboxState): RunState {
  switch (mailbox.kind) {
    case 'idle':
    case 'following':
      return { kind: 'idle' };
    case 'running':
      return { ...mailbox.step, startedAt: mailbox.startedAt };
    case 'stopping':
      return { kind: 'stopping', startedAt: mailbox.startedAt };
  }
}
