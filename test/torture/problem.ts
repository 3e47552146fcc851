/** What must hold, whatever happens, by the name under which it is counted. */
export const INVARIANTS = {
  acknowledgedLost: 'every change that was acknowledged is in the file',
  unreadable: 'every conversation can be read at any time, in the file and in its copies',
  wrongTakeovers: 'no run of a window that lives is ended or fenced unasked',
  rawErrorsShown: 'nobody is shown a raw error',
  damaged: 'quick_check says ok',
  orderFaults: 'messages and parts stand in order, without holes',
  orphans: 'every row belongs to something',
  fenceFaults: 'fences grow, and a window that is gone leaves only what waits for an answer',
  rejected: 'no change is refused for good',
  broken: 'no window dies by itself or hangs at its end',
  unwritten: 'a window that closes in peace has written everything',
  effectsTwice: 'no call does twice what it does',
  effectsUnasked: 'no call does anything before leave for it is given and written down',
  ranAfterNo: 'no call that was denied or that expired does anything',
  waitingFaults: 'every call that waits takes one answer, in any window, and is made once',
} as const;

export type Invariant = keyof typeof INVARIANTS;

/** One time that something did not hold. */
export interface Problem {
  readonly invariant: Invariant;
  readonly words: string;
  readonly conversation?: string;
  /** When it happened, or when the change that is missing was acknowledged: ms since the start. */
  readonly at?: number;
}

/** How much of everything there was, so that a run in which nothing happened is not taken for a good one. */
export interface Counts {
  kills: number;
  stops: number;
  lockHolds: number;
  fullDisks: number;
  readOnlys: number;
  diskErrors: number;
  clockJumps: number;
  copies: number;
  reads: number;
  passingErrors: number;
  acknowledged: number;
  takeovers: number;
  shown: number;
  /** Messages that a window took while its run could not be written, and lost when another turned out to have run. */
  fencedMessages: number;
  /** Windows that were closed while they were at work. */
  closes: number;
  /** Calls that did what they do. */
  effects: number;
  /** Answers of a person that were taken; `resumed`: those to calls that waited since nobody ran them. */
  answers: number;
  resumed: number;
}

export function noCounts(): Counts {
  return {
    kills: 0,
    stops: 0,
    lockHolds: 0,
    fullDisks: 0,
    readOnlys: 0,
    diskErrors: 0,
    clockJumps: 0,
    copies: 0,
    reads: 0,
    passingErrors: 0,
    acknowledged: 0,
    takeovers: 0,
    shown: 0,
    fencedMessages: 0,
    closes: 0,
    effects: 0,
    answers: 0,
    resumed: 0,
  };
}
