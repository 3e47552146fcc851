import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ripgrepPath } from '../../src/extension/tools/ripgrep';
import { ROOT } from '../support/workbench/tools';
import { longRun } from './longRun';
import { buildProgram } from './program';
import { problemLines } from './report';

const OUT = join(ROOT, 'out', `longrun-test-${process.pid}`);

beforeAll(() => buildProgram(join(OUT, 'programs')));
afterAll(() => rm(OUT, { recursive: true, force: true }));

describe('A long run', () => {
  it('with kills asks with valid bodies only, and loses nothing', { timeout: 120_000 }, async () => {
    const seed = 1 + Math.floor(Math.random() * 1e9);
    const result = await longRun({
      turns: 12,
      kills: 2,
      moments: ['in_tool', 'writing'],
      seed,
      folder: join(OUT, `seed-${seed}`),
      programs: join(OUT, 'programs'),
      ripgrep: ripgrepPath(ROOT),
      tell: () => undefined,
    });
    expect(problemLines(result)).toEqual([]);
    expect(result.kills).toHaveLength(2);
    expect(result.quickCheck).toBe('ok');
    expect(result.windows).toEqual([4_096]);
  });
});
