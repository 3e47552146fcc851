/** How much is measured. Only `full` gives the figures that the goals speak of. */
export interface BenchSize {
  readonly name: 'full' | 'quick' | 'smoke';
  /** How often each figure that counts time is taken; the median counts. Odd. */
  readonly runs: number;
  /** Messages of the long conversation and of the short one. */
  readonly longMessages: number;
  readonly shortMessages: number;
  /** Pairs of appends (one message of the person, one answer) that are timed in one run. */
  readonly appendPairs: number;
  /** Rewrites of the whole history that are timed in one run. */
  readonly rewrites: number;
  /** Processes that open each conversation in one run. */
  readonly opens: number;
  /** Messages whose bytes on the way to the file are counted. */
  readonly countedMessages: number;
  /** Length of the streamed reply, in seconds. */
  readonly streamSeconds: number;
  /** How long each window appends, in seconds. */
  readonly windowSeconds: number;
  /** What a command prints, in MB (2²⁰ bytes). */
  readonly printedMegabytes: number;
}

const full: BenchSize = {
  name: 'full',
  runs: 3,
  longMessages: 10_000,
  shortMessages: 100,
  appendPairs: 100,
  rewrites: 7,
  opens: 15,
  countedMessages: 2_000,
  streamSeconds: 30,
  windowSeconds: 30,
  printedMegabytes: 1_024,
};

/** The workload of `full`, each figure taken once and the long waits cut. */
const quick: BenchSize = { ...full, name: 'quick', runs: 1, opens: 7, streamSeconds: 8, windowSeconds: 5 };

/** Shows that the machinery works. The figures mean nothing. */
const smoke: BenchSize = {
  name: 'smoke',
  runs: 1,
  longMessages: 40,
  shortMessages: 10,
  appendPairs: 3,
  rewrites: 2,
  opens: 1,
  countedMessages: 10,
  streamSeconds: 0.5,
  windowSeconds: 0.3,
  printedMegabytes: 8,
};

export const SIZES: Readonly<Record<string, BenchSize>> = { full, quick, smoke };
