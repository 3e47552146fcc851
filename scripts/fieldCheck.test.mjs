import { describe, expect, it } from 'vitest';
import { fieldFaults } from './lib/fieldCheck.mjs';
import { testTitles } from './lib/testTitles.mjs';

const TESTS = `
describe('the list', () => {
  it('holds all', () => {});
  it.skip('is quick', () => {});
  it.each([
    ['(a', 1],
    [')b', 2],
  ])('holds %s', () => {});
  it.skipIf(isRoot())("isn't written", () => {});
  // it('was there once', () => {});
});
describe.skip('the old list', () => {
  describe('of today', () => {
    it('held all', () => {});
  });
  it('was quick', () => {});
});
test.describe('In the workbench', () => {
  test('shows all', async ({ panel }) => {});
  test.fixme('shows more', async ({ panel }) => {});
});
`;
const PATH = 'src/list.test.ts';
const PROVEN = { owed: 'store', how: 'real', test: `${PATH} › holds all` };

/**
 * What is wrong with a file of 89 rows of which these are the first.
 * @param {Record<string, unknown>} rows
 * @param {unknown} [due]
 */
function faults(rows, due = ['store']) {
  const rest = Array.from({ length: 89 - Object.keys(rows).length }, (_, i) => [`Z${i}`, { owed: 'panel' }]);
  return fieldFaults({ due, ...rows, ...Object.fromEntries(rest) }, async (path) =>
    path === PATH ? TESTS : undefined,
  );
}

describe('The rows from the field', () => {
  it('are in order when each row that is due names a test that is there, or says why it needs none', async () => {
    const rows = {
      A01: PROVEN,
      A02: { ...PROVEN, how: 'simulated', test: `${PATH} › the list › holds %s` },
      A03: { ...PROVEN, test: `${PATH} › isn't written` },
      A05: { ...PROVEN, test: `${PATH} › In the workbench › shows all` },
      A09: { ...PROVEN, also: [`${PATH} › holds %s`, `${PATH} › shows all`] },
      A06: { owed: 'store', how: 'not here', why: 'There is no index beside the file.' },
      A07: { owed: 'panel' },
    };
    expect(await faults(rows)).toEqual([]);
  });

  it.each([
    [{ owed: 'store' }, '"store" is due: "how" is missing.'],
    [{ ...PROVEN, how: 'perhaps' }, '"how" is "perhaps"; it must be one of: real, simulated, not here.'],
    [{ ...PROVEN, note: '' }, 'unknown key "note".'],
    [{ owed: 'store', how: 'real' }, '"test" is missing.'],
    [{ ...PROVEN, test: PATH }, `"test" must read "path › title", not "${PATH}".`],
    [{ ...PROVEN, test: 'src/other.test.ts › holds all' }, 'there is no file src/other.test.ts.'],
    [{ ...PROVEN, test: `${PATH} › holds some` }, `${PATH} has no test "holds some".`],
    [{ ...PROVEN, test: `${PATH} › the list` }, `${PATH} has no test "the list".`],
    [{ ...PROVEN, test: `${PATH} › another › holds all` }, `${PATH} has no describe "another".`],
    [{ ...PROVEN, test: `${PATH} › was there once` }, `${PATH} has no test "was there once".`],
    [{ ...PROVEN, test: `${PATH} › is quick` }, `${PATH} skips the test "is quick".`],
    [{ ...PROVEN, test: `${PATH} › the old list › was quick` }, `${PATH} skips the test "was quick".`],
    [{ ...PROVEN, test: `${PATH} › held all` }, `${PATH} skips the test "held all".`],
    [{ ...PROVEN, test: `${PATH} › shows more` }, `${PATH} skips the test "shows more".`],
    [{ ...PROVEN, also: `${PATH} › holds all` }, '"also" must be a list of tests.'],
    [{ ...PROVEN, also: [`${PATH} › holds %s`, `${PATH} › holds some`] }, `${PATH} has no test "holds some".`],
    [{ ...PROVEN, also: [`${PATH} › is quick`] }, `${PATH} skips the test "is quick".`],
    [{ owed: 'store', how: 'not here' }, '"not here" needs a "why".'],
    [{ owed: 'store', how: 'not here', why: ' ' }, '"not here" needs a "why".'],
    [{ ...PROVEN, owed: 'panel' }, '"panel" is not due yet: no "how" and no "test".'],
  ])('%j is refused', async (row, fault) => {
    expect(await faults({ A01: row })).toEqual([`A01: ${fault}`]);
  });

  it('are refused when the part that owes one is unknown, or missing', async () => {
    const parts = 'store, lifecycle, model, tools, sub-agents, panel, surfaces';
    expect(await faults({ A01: { owed: 'shop' }, A02: {} })).toEqual([
      `A01: "owed" is "shop"; it must be one of: ${parts}.`,
      `A02: "owed" is missing; it must be one of: ${parts}.`,
    ]);
    expect(await faults({ A01: PROVEN }, ['store', 'shop'])).toEqual(['"due" names an unknown part: shop.']);
    expect(await faults({}, 'store')).toEqual(['"due" must be a list of the parts that are due.']);
  });

  it('are refused when one is gone or one too many', async () => {
    expect(await fieldFaults({ due: [], A01: { owed: 'store' } }, async () => undefined)).toEqual([
      'there are 1 rows; there must be 89.',
    ]);
  });
});

it('Titles are read as they are written, whatever stands around them', () => {
  expect(testTitles(TESTS)).toEqual({
    groups: new Set(['the list', 'the old list', 'of today', 'In the workbench']),
    tests: new Set(['holds all', 'holds %s', "isn't written", 'shows all']),
    skipped: new Set(['is quick', 'held all', 'was quick', 'shows more']),
  });
});
