import type { BodyProblem } from './bodyWatch';
import type { Moment } from './lines';
import type { Deeds } from './scriptedModel';

/** What came of a long run. Without problems of either kind it is a good one. */
export interface LongRunResult {
  readonly seed: number;
  readonly turns: number;
  /** The moments at which windows died, in order. */
  readonly kills: readonly Moment[];
  readonly requests: number;
  /** Requests for a summary, and summaries that were recorded. */
  readonly summaries: number;
  readonly compactions: number;
  /** Tokens of the longest prompt. */
  readonly longestPrompt: number;
  /** The different values of `num_ctx` and `keep_alive` over all requests. */
  readonly windows: readonly unknown[];
  readonly keepAlives: readonly unknown[];
  /** How often the model did what. */
  readonly deeds: Deeds;
  readonly bodyProblems: readonly BodyProblem[];
  /** Everything else that was not as it must be, in words. */
  readonly problems: readonly string[];
  readonly quickCheck: string;
  /** Messages in the file. */
  readonly messages: number;
  readonly seconds: number;
  /** Folder with the log and the history; there only when there were problems. */
  readonly folder: string;
}

/** Offending bodies that are shown whole. */
const BODIES_SHOWN = 2;

/** The result in lines for a person. */
export function reportLines(result: LongRunResult): readonly string[] {
  const { seed, turns, kills, requests, summaries, compactions, longestPrompt, windows, deeds } = result;
  return [
    `${turns} turns, ${requests} requests, ${summaries} for a summary, ${compactions} compactions, in ${result.seconds} s`,
    `${kills.length} kills: ${counted(kills)}`,
    `The model: ${Object.entries(deeds)
      .map(([deed, times]) => `${deed} ${times}`)
      .join(', ')}`,
    `num_ctx: ${windows.map(String).join(', ')}; longest prompt: ${longestPrompt} tokens`,
    `${result.messages} messages in the file; quick_check: ${result.quickCheck}; seed ${seed}`,
  ];
}

/** What went wrong, with the offending bodies; empty when nothing did. */
export function problemLines({ problems, bodyProblems, seed, folder }: LongRunResult): readonly string[] {
  if (problems.length + bodyProblems.length === 0) return [];
  return [
    ...problems,
    ...bodyProblems.map(({ request, faults }) => `Request ${request}: ${faults.join('; ')}`),
    ...bodyProblems
      .slice(0, BODIES_SHOWN)
      .map(({ request, body }) => `Body of request ${request}: ${JSON.stringify(body)}`),
    `Seed ${seed}. The log and the file: ${folder}`,
  ];
}

function counted(names: readonly string[]): string {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times].map(([name, count]) => `${name} ${count}`).join(', ');
}
