import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromOut } from './lib/paths.mjs';
import { loadBench } from './lib/support.mjs';

/** What cannot be counted on every system; anywhere else a null is a fault. */
const COUNTED_ON_LINUX_ONLY = ['write-amplification', 'stream-bytes'];

describe('The bench, at its smallest', () => {
  const folder = fromOut('bench', `smoke-${process.pid}`);
  /** @type {Awaited<ReturnType<typeof loadBench>>} */
  let bench;
  /** @type {readonly import('../test/bench/report').RowResult[]} */
  let results;

  beforeAll(async () => {
    bench = await loadBench();
    const { smoke } = bench.SIZES;
    if (smoke === undefined) throw new Error('there is no size smoke');
    results = await bench.runBench(bench.ROWS, smoke, folder, () => undefined);
    return () => rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it('runs every row to its end', () => {
    const failed = results.filter((result) => result.failed);
    expect(failed.map(({ row, measured }) => [row.id, measured.detail])).toEqual([]);
    expect(results.map(({ row }) => row.id)).toEqual(bench.ROWS.map(({ id }) => id));
  });

  it('makes JSON with a finite number for every row, or says why there is none', () => {
    const report = JSON.parse(JSON.stringify(bench.reportOf(results)));
    for (const { id, unit } of bench.ROWS) {
      expect(report[id], id).toEqual({ value: report[id].value, unit, detail: expect.any(Object) });
      if (process.platform !== 'linux' && COUNTED_ON_LINUX_ONLY.includes(id)) {
        expect(report[id].detail.reason).toEqual(expect.any(String));
      } else {
        expect(report[id].value, id).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('says in table and JSON that these are not the figures of the goals', () => {
    const [, ...lines] = bench.tableOf(results);
    for (const line of lines) expect(line).toContain('(smoke)');
    for (const { measured } of results) expect(measured.detail['size']).toBe('smoke');
  });

  it('tells a row that breaks off, and goes on', async () => {
    const [good] = bench.ROWS;
    const { smoke } = bench.SIZES;
    if (good === undefined || smoke === undefined) throw new Error('there is nothing to measure');
    const broken = { ...good, id: 'broken', measure: () => Promise.reject(new Error('no disk')) };
    const both = await bench.runBench([broken, good], smoke, folder, () => undefined);
    expect(both.map(({ failed }) => failed)).toEqual([true, false]);
    expect(bench.reportOf(both)['broken']).toEqual({
      value: null,
      unit: good.unit,
      detail: { reason: expect.stringContaining('no disk') },
    });
  });
});
