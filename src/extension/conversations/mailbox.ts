import { assertNever } from '../base/assertNever';
import { AUTONOMOUS_TURNS } from '../base/limits';
import type { RunState, RunStep } from '../../protocol/status';

/**
 * What a live conversation does. Only {@link nextState} changes it; everything else posts events.
 * `autonomy`: how many turns may still begin without a word of the person, one after the other.
 * `startedAt`: epoch milliseconds at which the turn began, or the summary that the person asked for.
 */
export type MailboxState =
  | { readonly kind: 'idle'; readonly autonomy: number }
  | {
      readonly kind: 'running';
      readonly step: Exclude<RunStep, { kind: 'compacting' }>;
      readonly startedAt: number;
      readonly autonomy: number;
    }
  /** A call of the turn waits for the person's leave. */
  | { readonly kind: 'awaiting_approval'; readonly startedAt: number; readonly autonomy: number }
  /** Older messages are summarised: between two steps of a turn, or because the person asked for it. */
  | { readonly kind: 'compacting'; readonly startedAt: number; readonly autonomy: number }
  /** Stop was asked for; what goes on has not ended yet. */
  | { readonly kind: 'stopping'; readonly startedAt: number }
  /** The window that ran it is gone, and calls of its last turn wait for an answer. Nothing runs by itself. */
  | { readonly kind: 'suspended' }
  /** Another window runs it; this one only reads. */
  | { readonly kind: 'following' };

export type MailboxEvent =
  /** `by`: who begins the turn: the person, or results of sub-agents that are delivered. */
  | { readonly type: 'turn_asked'; readonly by: 'person' | 'results'; readonly now: number }
  /** The person wants a summary now. */
  | { readonly type: 'compaction_asked'; readonly now: number }
  | { readonly type: 'step'; readonly step: RunStep }
  | { readonly type: 'approval_asked' }
  /** Also the answer to a call of a suspended turn, which goes on with it. */
  | { readonly type: 'approval_answered'; readonly now: number }
  | { readonly type: 'stop_asked' }
  /** The turn is over, or the summary that the person asked for. */
  | { readonly type: 'turn_ended' }
  | { readonly type: 'owned_elsewhere' }
  /** Nobody runs it, and nothing of it waits. */
  | { readonly type: 'owner_gone' }
  /** Nobody runs it, and calls of it wait for an answer. */
  | { readonly type: 'found_suspended' };

/** The state after an event, or why the event is refused now, in words for the person. */
export type MailboxStep =
  { readonly ok: true; readonly state: MailboxState } | { readonly ok: false; readonly message: string };

const BUSY = 'The answer before this one is still being written. Stop it first, or wait until it is done.';
const WAITING = 'The answer before this one waits for your leave. Allow or deny it first.';
const COMPACTING = 'Older messages are being summarised. Try again in a moment.';
const STOPPING = 'The answer before this one is being stopped. Try again in a moment.';
const SUSPENDED = 'A call waits for your leave. Allow or deny it first, or write a message.';
const NO_AUTONOMY = 'The results wait until you write.';
export const FOLLOWING_SENTENCE = 'This conversation runs in another window. You can write here when it ends.';

/** Nobody runs it. Nothing begins by itself after a restart, and in a conversation that another window ran. */
const AT_REST: MailboxState = { kind: 'idle', autonomy: 0 };

/** Where a conversation starts; `undefined`: the file does not hold it yet. */
export function firstState(
  stored: { readonly elsewhere: boolean; readonly suspended: boolean } | undefined,
): MailboxState {
  if (stored?.elsewhere === true) return { kind: 'following' };
  return stored?.suspended === true ? { kind: 'suspended' } : { ...AT_REST };
}

/** Total: every event has an answer in every state. */
export function nextState(state: MailboxState, event: MailboxEvent): MailboxStep {
  // Whatever goes on here: what another window runs is not this one's.
  if (event.type === 'owned_elsewhere') return to({ kind: 'following' });
  switch (state.kind) {
    case 'idle':
      return whenIdle(state, event);
    case 'running':
      return whenRunning(state, event);
    case 'awaiting_approval':
      return whenAwaitingApproval(state, event);
    case 'compacting':
      return whenCompacting(state, event);
    case 'stopping':
      return whenStopping(state, event);
    case 'suspended':
      return whenSuspended(state, event);
    case 'following':
      return whenFollowing(state, event);
    default:
      return assertNever(state);
  }
}

type Of<Kind extends MailboxState['kind']> = Extract<MailboxState, { kind: Kind }>;

function whenIdle(state: Of<'idle'>, event: MailboxEvent): MailboxStep {
  switch (event.type) {
    case 'turn_asked': {
      if (event.by === 'person') return begin(event.now, AUTONOMOUS_TURNS);
      return state.autonomy > 0 ? begin(event.now, state.autonomy - 1) : refuse(NO_AUTONOMY);
    }
    case 'compaction_asked':
      return to({ kind: 'compacting', startedAt: event.now, autonomy: state.autonomy });
    case 'found_suspended':
      return to({ kind: 'suspended' });
    default:
      return to(state);
  }
}

function whenRunning(state: Of<'running'>, event: MailboxEvent): MailboxStep {
  const { startedAt, autonomy } = state;
  switch (event.type) {
    case 'turn_asked':
    case 'compaction_asked':
      return refuse(BUSY);
    case 'step':
      return event.step.kind === 'compacting'
        ? to({ kind: 'compacting', startedAt, autonomy })
        : to({ ...state, step: event.step });
    case 'approval_asked':
      return to({ kind: 'awaiting_approval', startedAt, autonomy });
    case 'stop_asked':
      return to({ kind: 'stopping', startedAt });
    case 'turn_ended':
      return to({ kind: 'idle', autonomy });
    default:
      return to(state);
  }
}

function whenAwaitingApproval(state: Of<'awaiting_approval'>, event: MailboxEvent): MailboxStep {
  const { startedAt, autonomy } = state;
  switch (event.type) {
    case 'turn_asked':
    case 'compaction_asked':
      return refuse(WAITING);
    case 'approval_answered':
      return to({ kind: 'running', step: { kind: 'tools' }, startedAt, autonomy });
    case 'stop_asked':
      return to({ kind: 'stopping', startedAt });
    case 'turn_ended':
      return to({ kind: 'idle', autonomy });
    default:
      return to(state);
  }
}

function whenCompacting(state: Of<'compacting'>, event: MailboxEvent): MailboxStep {
  const { startedAt, autonomy } = state;
  switch (event.type) {
    case 'turn_asked':
    case 'compaction_asked':
      return refuse(COMPACTING);
    case 'step':
      return event.step.kind === 'compacting'
        ? to(state)
        : to({ kind: 'running', step: event.step, startedAt, autonomy });
    case 'stop_asked':
      return to({ kind: 'stopping', startedAt });
    case 'turn_ended':
      return to({ kind: 'idle', autonomy });
    default:
      return to(state);
  }
}

function whenStopping(state: Of<'stopping'>, event: MailboxEvent): MailboxStep {
  switch (event.type) {
    case 'turn_asked':
    case 'compaction_asked':
      return refuse(STOPPING);
    case 'turn_ended':
      // Who stops an answer does not want another one to begin by itself.
      return to({ kind: 'idle', autonomy: 0 });
    default:
      return to(state);
  }
}

function whenSuspended(state: Of<'suspended'>, event: MailboxEvent): MailboxStep {
  switch (event.type) {
    case 'turn_asked':
      return event.by === 'person' ? begin(event.now, AUTONOMOUS_TURNS) : refuse(NO_AUTONOMY);
    case 'compaction_asked':
      return refuse(SUSPENDED);
    case 'approval_answered':
      return to({ kind: 'running', step: { kind: 'tools' }, startedAt: event.now, autonomy: 0 });
    case 'owner_gone':
      return to({ ...AT_REST });
    default:
      return to(state);
  }
}

function whenFollowing(state: Of<'following'>, event: MailboxEvent): MailboxStep {
  switch (event.type) {
    case 'turn_asked':
    case 'compaction_asked':
      return refuse(FOLLOWING_SENTENCE);
    case 'owner_gone':
      return to({ ...AT_REST });
    case 'found_suspended':
      return to({ kind: 'suspended' });
    default:
      return to(state);
  }
}

function begin(now: number, autonomy: number): MailboxStep {
  return to({ kind: 'running', step: { kind: 'waiting' }, startedAt: now, autonomy });
}

function to(state: MailboxState): MailboxStep {
  return { ok: true, state };
}

function refuse(message: string): MailboxStep {
  return { ok: false, message };
}

/** Whether something goes on in this window, so that what is written now must wait. */
export function isBusy({ kind }: MailboxState): boolean {
  return kind === 'running' || kind === 'awaiting_approval' || kind === 'compacting' || kind === 'stopping';
}

/** What a view is told of the state. */
export function runState(mailbox: MailboxState): RunState {
  switch (mailbox.kind) {
    case 'idle':
    case 'suspended':
    case 'following':
      return { kind: 'idle' };
    case 'running':
      return { ...mailbox.step, startedAt: mailbox.startedAt };
    case 'awaiting_approval':
    case 'compacting':
    case 'stopping':
      return { kind: mailbox.kind, startedAt: mailbox.startedAt };
  }
}
