import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FailingUse, USES } from '../../../../test/support/windows/failingUse';

/** How many uses are tried. */
const RUNS = Number(process.env['HOLDFAST_FAILING_RUNS'] ?? 6);

const CODES = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_BUSY'] as const;
const OFTEN = ['send', 'send', 'send', 'allow', 'allow', 'allow', 'rest', 'rest'] as const;
const FAULTS = ['fail', 'fail', 'work', 'work', 'reload', 'kill'] as const;

/** `moment`: turns of the event loop until the next step, which so comes in the middle of what goes on. */
const steps = fc.array(
  fc.record({
    what: fc.constantFrom(...(Object.keys(USES) as (keyof typeof USES)[]), ...OFTEN, ...FAULTS),
    code: fc.constantFrom(...CODES),
    moment: fc.constantFrom(0, 1, 3, 10, 30, 60),
    pick: fc.nat(100),
  }),
  { minLength: 15, maxLength: 30 },
);

describe('a conversation that is used at random while its file fails at random', () => {
  it(
    'goes on, says what is not saved, loses nothing that the file took, and is in the file in the end',
    { timeout: Math.max(20_000, RUNS * 5_000) },
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (drawn) => {
          const use = await FailingUse.make();
          try {
            use.send();
            for (const { what, code, moment, pick } of drawn) {
              if (what === 'fail') use.fail(code);
              else if (what === 'work') use.work();
              else if (what === 'reload') await use.reload();
              else if (what === 'kill') await use.lookAfterKill();
              else await USES[what](use, pick);
              for (let turn = 0; turn < moment; turn += 1) await nextTurn();
              use.look();
            }
            await use.end();
            expect(use.faults).toEqual([]);
          } finally {
            await use.dispose();
          }
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
  );
});
