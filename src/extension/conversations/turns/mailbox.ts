import { AUTONOMOUS_TURNS } from '../../base/limits';
import type { RunState, RunStep } from '../../../protocol/status';

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
  /** Changes of files are taken back, or made again. */
  | { readonly kind: 'undoing'; readonly startedAt: number; readonly autonomy: number }
  /** Stop was asked for; what goes on has not ended yet. */
  | { readonly kind: 'stopping'; readonly startedAt: number }
  /** No window runs it, and calls of its last turn wait for an answer. Nothing runs by itself. */
  | { readonly kind: 'suspended' }
  /** Another window runs it; this one only reads. */
  | { readonly kind: 'following' };

export type MailboxEvent =
  /** `by`: who begins the turn: the person, or results of sub-agents that are delivered. */
  | { readonly type: 'turn_asked'; readonly by: 'person' | 'results'; readonly now: number }
  /** The person wants a summary now. */
  | { readonly type: 'compaction_asked'; readonly now: number }
  /** The person wants changes of files to be taken back, or made again. */
  | { readonly type: 'undo_asked'; readonly now: number }
  | { readonly type: 'step'; readonly step: RunStep }
  | { readonly type: 'approval_asked' }
  /** Also the answer to a call of a suspended turn, which goes on with it. */
  | { readonly type: 'approval_answered'; readonly now: number }
  | { readonly type: 'stop_asked' }
  /** The turn is over, or what else the person asked for. */
  | { readonly type: 'turn_ended' }
  /** This window lets the turn go while a call of it waits for leave. */
  | { readonly type: 'turn_suspended' }
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
const UNDOING = 'Changes of files are being taken back or made again. Try again in a moment.';
const STOPPING = 'The answer before this one is being stopped. Try again in a moment.';
export const SUSPENDED_SENTENCE = 'A call waits for your leave. Allow or deny it first, or write a message.';
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

type Of<Kind extends MailboxState['kind']> = Extract<MailboxState, { kind: Kind }>;

/** What the events of one state do. One that is not named changes nothing. */
type Reactions<State extends MailboxState> = {
  readonly [Type in MailboxEvent['type']]?: (state: State, event: Extract<MailboxEvent, { type: Type }>) => MailboxStep;
};

// Whatever goes on here: what another window runs is not this one's.
const ownedElsewhere = (): MailboxStep => to({ kind: 'following' });
/** While something goes on that began at `startedAt`. */
const stopAsked = ({ startedAt }: { readonly startedAt: number }): MailboxStep => to({ kind: 'stopping', startedAt });
const turnEnded = ({ autonomy }: { readonly autonomy: number }): MailboxStep => to({ kind: 'idle', autonomy });
const ownerGone = (): MailboxStep => to({ ...AT_REST });
const suspended = (): MailboxStep => to({ kind: 'suspended' });

/** Nothing new begins, for a reason in words. */
function refusing(message: string): Pick<Reactions<MailboxState>, 'turn_asked' | 'compaction_asked' | 'undo_asked'> {
  const refuse = (): MailboxStep => ({ ok: false, message });
  return { turn_asked: refuse, compaction_asked: refuse, undo_asked: refuse };
}

const REACTIONS: { readonly [Kind in MailboxState['kind']]: Reactions<Of<Kind>> } = {
  idle: {
    owned_elsewhere: ownedElsewhere,
    found_suspended: suspended,
    turn_asked: ({ autonomy }, { by, now }) => {
      if (by === 'person') return begin(now, AUTONOMOUS_TURNS);
      return autonomy > 0 ? begin(now, autonomy - 1) : { ok: false, message: NO_AUTONOMY };
    },
    compaction_asked: ({ autonomy }, { now }) => to({ kind: 'compacting', startedAt: now, autonomy }),
    undo_asked: ({ autonomy }, { now }) => to({ kind: 'undoing', startedAt: now, autonomy }),
  },
  running: {
    ...refusing(BUSY),
    owned_elsewhere: ownedElsewhere,
    stop_asked: stopAsked,
    turn_ended: turnEnded,
    turn_suspended: suspended,
    step: (state, { step }) => {
      const { startedAt, autonomy } = state;
      return step.kind === 'compacting' ? to({ kind: 'compacting', startedAt, autonomy }) : to({ ...state, step });
    },
    approval_asked: ({ startedAt, autonomy }) => to({ kind: 'awaiting_approval', startedAt, autonomy }),
  },
  awaiting_approval: {
    ...refusing(WAITING),
    owned_elsewhere: ownedElsewhere,
    stop_asked: stopAsked,
    turn_ended: turnEnded,
    turn_suspended: suspended,
    approval_answered: ({ startedAt, autonomy }) =>
      to({ kind: 'running', step: { kind: 'tools' }, startedAt, autonomy }),
  },
  compacting: {
    ...refusing(COMPACTING),
    owned_elsewhere: ownedElsewhere,
    stop_asked: stopAsked,
    turn_ended: turnEnded,
    turn_suspended: suspended,
    step: (state, { step }) => {
      const { startedAt, autonomy } = state;
      return step.kind === 'compacting' ? to(state) : to({ kind: 'running', step, startedAt, autonomy });
    },
  },
  undoing: {
    ...refusing(UNDOING),
    owned_elsewhere: ownedElsewhere,
    stop_asked: stopAsked,
    turn_ended: turnEnded,
    turn_suspended: suspended,
  },
  stopping: {
    ...refusing(STOPPING),
    owned_elsewhere: ownedElsewhere,
    turn_suspended: suspended,
    // Who stops an answer does not want another one to begin by itself.
    turn_ended: () => to({ ...AT_REST }),
  },
  suspended: {
    owned_elsewhere: ownedElsewhere,
    owner_gone: ownerGone,
    turn_asked: (_, { by, now }) =>
      by === 'person' ? begin(now, AUTONOMOUS_TURNS) : { ok: false, message: NO_AUTONOMY },
    compaction_asked: () => ({ ok: false, message: SUSPENDED_SENTENCE }),
    undo_asked: () => ({ ok: false, message: SUSPENDED_SENTENCE }),
    approval_answered: (_, { now }) => to({ kind: 'running', step: { kind: 'tools' }, startedAt: now, autonomy: 0 }),
  },
  following: {
    ...refusing(FOLLOWING_SENTENCE),
    owned_elsewhere: ownedElsewhere,
    owner_gone: ownerGone,
    found_suspended: suspended,
  },
};

/** Total: every event has an answer in every state. */
export function nextState(state: MailboxState, event: MailboxEvent): MailboxStep {
  // That a state and an event are those of the reaction found by their names is not seen by the compiler.
  const react = REACTIONS[state.kind][event.type] as
    ((state: MailboxState, event: MailboxEvent) => MailboxStep) | undefined;
  return react === undefined ? to(state) : react(state, event);
}

function begin(now: number, autonomy: number): MailboxStep {
  return to({ kind: 'running', step: { kind: 'waiting' }, startedAt: now, autonomy });
}

function to(state: MailboxState): MailboxStep {
  return { ok: true, state };
}

/** Whether something goes on in this window, so that what is written now must wait. */
export function isBusy({ kind }: MailboxState): boolean {
  return kind !== 'idle' && kind !== 'suspended' && kind !== 'following';
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
    case 'undoing':
      return { kind: 'tools', startedAt: mailbox.startedAt };
    case 'awaiting_approval':
    case 'compacting':
    case 'stopping':
      return { kind: mailbox.kind, startedAt: mailbox.startedAt };
  }
}
