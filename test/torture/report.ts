import type { Journal } from './journal';
import { INVARIANTS, type Counts, type Invariant, type Problem } from './problem';

export interface TortureResult {
  readonly seed: number;
  /** How long (s) the windows were tortured. */
  readonly seconds: number;
  readonly counts: Counts;
  readonly problems: readonly Problem[];
  readonly quickCheck: string;
  readonly conversations: number;
  readonly messages: number;
  /** Calls that waited with every window gone, and were answered then. */
  readonly answeredAtEnd: number;
  /** What this machine does not let us do, and what was done instead. */
  readonly skipped: readonly string[];
  /** The findings in words, for a person, with what happened around each. */
  readonly findings: readonly string[];
  /** Where the logs are; gone after a run that found nothing. */
  readonly folder: string;
}

const names = Object.keys(INVARIANTS) as Invariant[];

export function timesBroken(problems: readonly Problem[], invariant: Invariant): number {
  return problems.filter((problem) => problem.invariant === invariant).length;
}

/** The one JSON object. `damaged` has its own word there: `quickCheck`. */
export function asJson({
  seed,
  seconds,
  counts,
  problems,
  quickCheck,
  conversations,
  messages,
  answeredAtEnd,
  skipped,
}: TortureResult): object {
  const broken = Object.fromEntries(
    names.filter((name) => name !== 'damaged').map((name) => [name, timesBroken(problems, name)]),
  );
  return { ...counts, ...broken, quickCheck, conversations, messages, answeredAtEnd, seconds, seed, skipped };
}

export function asTable({ counts, problems, conversations, messages, answeredAtEnd }: TortureResult): string {
  const rows = [
    ...Object.entries({ ...counts, conversations, messages, answeredAtEnd }).map(([name, count]) => [
      name,
      String(count),
      '',
    ]),
    ...names.map((name) => [name, String(timesBroken(problems, name)), INVARIANTS[name]]),
  ];
  return rows
    .map(([name = '', count = '', what = '']) => `${name.padEnd(18)}${count.padStart(8)}  ${what}`.trimEnd())
    .join('\n');
}

/** Shown of each invariant; the rest is counted. */
const SHOWN = 5;

export function inWords(problems: readonly Problem[], journal: Journal): readonly string[] {
  return names.flatMap((name) => {
    const found = problems.filter((problem) => problem.invariant === name);
    const shown = found.slice(0, SHOWN).map(({ words, conversation, at }) => {
      const around = conversation === undefined ? [] : journal.around(conversation, at);
      return [`${INVARIANTS[name]}: NO. ${words}`, ...around.map((line) => `    ${line.slice(0, 300)}`)].join('\n');
    });
    return found.length > SHOWN ? [...shown, `… and ${found.length - SHOWN} more of ${name}`] : shown;
  });
}
