import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ripgrepPath } from '../../src/extension/tools/ripgrep';
import { ROOT } from '../support/workbench/tools';
import { longRun } from './longRun';
import { buildProgram } from './program';
import { problemLines, type LongRunResult } from './report';

const OUT = join(ROOT, 'out', `longrun-test-${process.pid}`);
const TURNS = 20;

let result: LongRunResult;

beforeAll(async () => {
  await buildProgram(join(OUT, 'programs'));
  // Always the same: what others find is for the whole run.
  const seed = 4;
  result = await longRun({
    turns: TURNS,
    kills: 2,
    moments: ['in_tool', 'writing'],
    seed,
    folder: join(OUT, `seed-${seed}`),
    programs: join(OUT, 'programs'),
    ripgrep: ripgrepPath(ROOT),
    tell: () => undefined,
  });
  // What went wrong is told with its seed and the offending bodies, and its files are kept.
}, 120_000);

afterAll(() => rm(join(OUT, 'programs'), { recursive: true, force: true }));

describe('A long run with kills', () => {
  it('sends valid bodies only, which fit into the window and hold the last message of the person', () => {
    expect(problemLines(result)).toEqual([]);
    expect(result.requests).toBeGreaterThan(TURNS);
  });

  it('goes on after every death, and keeps every word', () => {
    expect(result.kills.toSorted()).toEqual(['in_tool', 'writing']);
    expect(result.problems).toEqual([]);
    expect(result.quickCheck).toBe('ok');
    expect(result.messages).toBeGreaterThan(TURNS * 2);
  });

  // L15
  it('asks a model with one window and one time to live for all its turns and summaries', () => {
    expect(result.turns).toBe(TURNS);
    expect(result.windows).toEqual([4_096]);
    expect(result.keepAlives).toEqual(['10m']);
    expect(result.compactions).toBeGreaterThan(0);
  });
});
