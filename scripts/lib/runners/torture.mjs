/** A short torture of the history file: one test for each thing that must hold, whatever happens to the windows. */
import { say } from '../say.mjs';
import { anySeed, loadTorture, runTortureFor, whyNoTorture } from '../torture.mjs';

const SECONDS = 17;

/** Without these a good end proves nothing. */
const MUST_HAPPEN = /** @type {const} */ ([
  'kills',
  'stops',
  'lockHolds',
  'fullDisks',
  'readOnlys',
  'diskErrors',
  'clockJumps',
  'copies',
  'reads',
  'acknowledged',
  'closes',
]);

/**
 * @param {{ grep?: string | undefined }} options
 * @returns {Promise<import('./outcome.mjs').Outcome>}
 */
export async function runTorture({ grep }) {
  const why = whyNoTorture();
  if (why !== undefined) {
    say(`Skipped: ${why}.`);
    return { passed: 0, skipped: 1, failures: [] };
  }
  const torture = await loadTorture();
  const { INVARIANTS } = torture.problem;
  const tests = [
    ...Object.keys(INVARIANTS).map((key) => {
      const invariant = /** @type {keyof typeof INVARIANTS} */ (key);
      return {
        name: `Under torture, ${INVARIANTS[invariant]}`,
        /** @param {import('../../../test/torture/report').TortureResult} result */
        whyNot: ({ problems, findings }) =>
          torture.report.timesBroken(problems, invariant) === 0
            ? undefined
            : findings.filter((finding) => finding.startsWith(INVARIANTS[invariant])).join('\n\n'),
      };
    }),
    {
      name: 'Under torture, every kind of fault happened, and changes were acknowledged',
      /** @param {import('../../../test/torture/report').TortureResult} result */
      whyNot: ({ counts }) => {
        /** @type {Readonly<Record<string, number>>} */
        const times = { ...counts };
        const never = MUST_HAPPEN.filter((name) => !times[name]);
        return never.length === 0 ? undefined : `Never: ${never.join(', ')}`;
      },
    },
  ].filter(({ name }) => !grep || name.toLowerCase().includes(grep.toLowerCase()));
  if (tests.length === 0) return { passed: 0, skipped: 0, failures: [] };

  const seed = anySeed();
  say(`Torture for ${SECONDS} s with seed ${seed}`);
  const result = await runTortureFor(torture, { seconds: SECONDS, seed, tell: say });
  const failures = tests.flatMap(({ name, whyNot }) => {
    const why = whyNot(result);
    say(`  ${why === undefined ? 'ok    ' : 'FAILED'} ${name}`);
    return why === undefined ? [] : [{ name, message: `${why}\nSeed ${seed}; logs and the file: ${result.folder}` }];
  });
  return { passed: tests.length - failures.length, skipped: 0, failures };
}
