import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manualClock';
import { ScriptedClient, type ScriptedPull } from '../../../../test/support/scriptedClient';
import { PULL_UPDATE_MS, PULLS_AT_ONCE } from '../../base/limits';
import { Pulls } from './pulls';

const MB = 1_000_000;

let clock: ManualClock;
let client: ScriptedClient;
let pulls: Pulls;
let told: number;
let arrived: string[];

beforeEach(() => {
  clock = new ManualClock(1_000_000);
  client = new ScriptedClient();
  told = 0;
  arrived = [];
  pulls = new Pulls(
    {
      client: () => client,
      changed: () => {
        told += 1;
      },
      arrived: (model) => {
        arrived.push(model);
        return Promise.resolve();
      },
    },
    clock,
  );
});

function started(model: string): ScriptedPull {
  expect(pulls.start(model)).toEqual({ ok: true });
  const pull = client.pulls.at(-1);
  if (pull === undefined) throw new Error('nothing was pulled');
  return pull;
}

function layer(digest: string, total: number, completed?: number): Parameters<ScriptedPull['send']>[0] {
  const status = `pulling ${digest}`;
  return { type: 'progress', status, digest, total, ...(completed === undefined ? {} : { completed }) };
}

describe('a model that is on its way', () => {
  it('counts all of its layers, each as far as it came', async () => {
    const pull = started('qwen3:8b');
    await pull.send({ type: 'progress', status: 'pulling manifest' });
    expect(pulls.states).toEqual([{ model: 'qwen3:8b', kind: 'pulling', status: 'pulling manifest' }]);
    await pull.send(layer('a', 500 * MB));
    await pull.send(layer('a', 500 * MB, 200 * MB));
    await pull.send(layer('a', 500 * MB, 500 * MB));
    await pull.send(layer('b', 100 * MB, 30 * MB));
    expect(pulls.states).toEqual([
      { model: 'qwen3:8b', kind: 'pulling', status: 'pulling b', completed: 530 * MB, total: 600 * MB },
    ]);
  });

  it('has a rate that is smooth, and that does not count what was there before', async () => {
    const pull = started('m');
    const rate = (): number | undefined => {
      const [state] = pulls.states;
      return state?.kind === 'pulling' ? state.bytesPerSecond : undefined;
    };
    await pull.send(layer('there', 4_000 * MB, 4_000 * MB));
    await pull.send(layer('a', 1_000 * MB, 300 * MB));
    expect(rate()).toBeUndefined();
    for (let second = 1; second <= 20; second += 1) {
      clock.advance(1_000);
      await pull.send(layer('a', 1_000 * MB, (300 + second * 10) * MB));
    }
    expect(rate()).toBe(10 * MB);
    clock.advance(1_000);
    await pull.send(layer('a', 1_000 * MB, 600 * MB));
    expect(rate()).toBeGreaterThan(15 * MB);
    expect(rate()).toBeLessThan(40 * MB);
  });

  it('is told of four times a second at most, and never less than all of it', async () => {
    const pull = started('m');
    told = 0;
    for (let step = 1; step <= 100; step += 1) {
      clock.advance(10);
      await pull.send(layer('a', 100, step));
    }
    expect(told).toBeGreaterThanOrEqual(3);
    expect(told).toBeLessThanOrEqual(5);
    clock.advance(PULL_UPDATE_MS);
    const before = told;
    clock.advance(60_000);
    expect(told).toBe(before);
    expect(pulls.states).toMatchObject([{ completed: 100 }]);
  });

  it('goes away when it is there, once the models were asked for anew', async () => {
    const pull = started('qwen3');
    await pull.send({ type: 'done' });
    expect(arrived).toEqual(['qwen3']);
    expect(pulls.states).toEqual([]);
  });

  it('is one, however it is written and however often it is asked for', () => {
    started('qwen3');
    expect(pulls.start(' qwen3:latest ')).toEqual({ ok: true });
    expect(client.pulls).toHaveLength(1);
  });

  it('stops when it is cancelled, and can be begun again at once', async () => {
    const first = started('m');
    pulls.cancel('m:latest');
    expect(first.signal.aborted).toBe(true);
    expect(pulls.states).toEqual([]);
    const second = started('m');
    await first.end();
    await second.send(layer('a', 10, 5));
    expect(pulls.states).toMatchObject([{ model: 'm', completed: 5 }]);
    expect(arrived).toEqual([]);
  });

  it.each([
    [{ reason: 'model_not_found', detail: 'x' }, 'Ollama found no model named m.'],
    [{ reason: 'unreachable', detail: 'x' }, 'Ollama does not answer.'],
    [
      { reason: 'cut_off', detail: 'x' },
      'The connection to Ollama broke. What has arrived is kept; pull it again to go on.',
    ],
    [{ reason: 'server_error', detail: 'no space left\non device' }, 'Ollama could not get it: no space left'],
    [{ reason: 'server_error', detail: '' }, 'Ollama could not get it.'],
  ] as const)(
    'says in a sentence why it failed (%o), stays until it is tried again or put away',
    async (failure, why) => {
      await started('m').send({ type: 'failed', failure });
      expect(pulls.states).toEqual([{ model: 'm', kind: 'failed', why }]);
      started('m');
      expect(pulls.states).toEqual([{ model: 'm', kind: 'pulling', status: '' }]);
      await client.pulls.at(-1)?.send({ type: 'failed', failure });
      pulls.cancel('m');
      expect(pulls.states).toEqual([]);
    },
  );

  it('is cut off when the stream ends without a word', async () => {
    await started('m').end();
    expect(pulls.states).toMatchObject([{ kind: 'failed', why: expect.stringContaining('broke') }]);
  });
});

describe('models to get', () => {
  it('need a name that a server would take', () => {
    for (const name of ['', '../x', 'two words', '-x'])
      expect(pulls.start(name)).toEqual({
        ok: false,
        message: 'This is no name of a model. Write it like qwen3:8b or someone/model:tag.',
      });
    expect(client.pulls).toEqual([]);
  });

  it('come in the order in which they were begun, and not too many at once', async () => {
    for (let count = 1; count <= PULLS_AT_ONCE; count += 1) started(`m${count}`);
    expect(pulls.start('more')).toMatchObject({ ok: false });
    expect(pulls.states.map(({ model }) => model)).toEqual(['m1', 'm2', 'm3', 'm4']);
    await client.pulls[0]?.send({ type: 'failed', failure: { reason: 'server_error', detail: '' } });
    started('more');
  });

  it('end with the window', () => {
    const [one, two] = [started('m1'), started('m2')];
    pulls.clear();
    expect([one.signal.aborted, two.signal.aborted]).toEqual([true, true]);
    expect(pulls.states).toEqual([]);
  });
});
