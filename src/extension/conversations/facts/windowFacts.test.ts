import { beforeEach, describe, expect, it } from 'vitest';
import type { ServerOffer } from '../../../protocol/status';
import { ManualClock } from '../../../../test/support/manualClock';
import { ScriptedClient } from '../../../../test/support/scriptedClient';
import { OFFERS_MS, SERVER_RETRY_MS } from '../../base/limits';
import { WindowFactsWatch } from './windowFacts';

const GATEWAY: ServerOffer = { kind: 'host', host: '172.20.0.1:11434', why: 'Windows' };

let clock: ManualClock;
let client: ScriptedClient;
let facts: WindowFactsWatch;
let host: string;
let last: string | undefined;
let sought: { readonly signal: AbortSignal; readonly answer: (offers: readonly ServerOffer[]) => Promise<void> }[];
let used: string[];
let cannotWrite: boolean;

beforeEach(() => {
  clock = new ManualClock();
  client = new ScriptedClient();
  host = 'here:11434';
  last = undefined;
  sought = [];
  used = [];
  cannotWrite = false;
  facts = new WindowFactsWatch(
    {
      folder: () => 'folder',
      remote: () => 'wsl',
      memory: () => 32e9,
      server: () => ({ host, client }),
      offers: (signal) =>
        new Promise((resolve) => {
          sought.push({
            signal,
            answer: async (offers) => {
              resolve(offers);
              await settled();
            },
          });
        }),
      useHost: (chosen) => {
        if (cannotWrite) return Promise.reject(new Error('settings.json holds a fault'));
        used.push(chosen);
        host = chosen;
        client.models = [{ name: 'm' }];
        return Promise.resolve();
      },
      lastModel: () => last,
      remember: (model) => {
        last = model;
      },
    },
    clock,
  );
});

/** Until whatever can go on without time has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('the facts of a window', () => {
  it('hold what the server has in memory, and the memory of the machine', async () => {
    client.models = [{ name: 'm', vision: true }];
    client.loaded = [{ name: 'm', contextLength: 8_192, size: 5e9 }];
    await facts.ask();
    expect(facts.current).toMatchObject({
      memory: 32e9,
      server: { kind: 'up', models: [{ name: 'm', vision: true }], loaded: [{ name: 'm', contextLength: 8_192 }] },
    });
    client.loaded = [];
    await facts.askLoaded();
    expect(facts.current.server).toMatchObject({ kind: 'up', models: [{ name: 'm' }], loaded: [] });
    expect(client.asked).toBe(1);
  });

  it('say nothing of a server that is not the one in the settings any more', async () => {
    client.models = [{ name: 'm' }];
    await facts.ask();
    const late = facts.ask();
    host = 'there:11434';
    facts.refresh();
    await late;
    // Nobody looks, so the other one is not asked.
    expect(facts.current.server).toEqual({ kind: 'unknown', host: 'there:11434' });
    facts.watch(true);
    await settled();
    expect(facts.current.server).toMatchObject({ kind: 'up', host: 'there:11434' });
  });

  it('do without what an old server cannot say', async () => {
    client.loaded = undefined;
    await facts.ask();
    expect(facts.current.server).toEqual({ kind: 'up', host, version: '1', models: [] });
  });
});

describe('a model that arrives', () => {
  async function pull(model: string): Promise<void> {
    expect(facts.pulls.start(model)).toEqual({ ok: true });
    expect(facts.current.pulls).toEqual([{ model, kind: 'pulling', status: '' }]);
    client.models = [{ name: model }, ...(client.models ?? [])];
    await client.pulls.at(-1)?.send({ type: 'done' });
    expect(facts.current.pulls).toBeUndefined();
    expect(facts.current.server).toMatchObject({ models: client.models });
  }

  it('is taken where there was none, and a second one is not', async () => {
    await facts.ask();
    expect(facts.current.model).toBeUndefined();
    await pull('first:1b');
    expect(facts.current.model).toBe('first:1b');
    await pull('second:1b');
    expect(facts.current.model).toBe('first:1b');
  });

  it('does not take the place of one that nobody chose but everybody uses', async () => {
    client.models = [{ name: 'old:1b' }];
    await facts.ask();
    await pull('new:1b');
    expect(facts.current.model).toBe('old:1b');
  });

  it('is used again when it was the one that was chosen and missing', async () => {
    last = 'gone:1b';
    client.models = [{ name: 'old:1b' }];
    await facts.ask();
    expect(facts.current.model).toBe('old:1b');
    await pull('gone:1b');
    expect(facts.current.model).toBe('gone:1b');
  });

  it('goes on while no view is on screen, and stops when another server is used', async () => {
    facts.watch(true);
    await settled();
    facts.pulls.start('m:1b');
    facts.watch(false);
    const [running] = client.pulls;
    expect(running?.signal.aborted).toBe(false);
    facts.refresh();
    expect(running?.signal.aborted).toBe(false);
    host = 'there:11434';
    facts.refresh();
    expect(running?.signal.aborted).toBe(true);
    expect(facts.current.pulls).toBeUndefined();
  });
});

describe('where no server answers', () => {
  beforeEach(async () => {
    client.models = undefined;
    facts.watch(true);
    await settled();
  });

  async function tryAgain(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      clock.advance(SERVER_RETRY_MS);
      await settled();
    }
  }

  it('offers come when they are found, stay, and are looked for once a minute, not at every try', async () => {
    expect(facts.current.server).toEqual({
      kind: 'down',
      host,
      why: 'connect ECONNREFUSED',
      triedAt: 0,
      retryMs: SERVER_RETRY_MS,
    });
    await sought[0]?.answer([GATEWAY]);
    expect(facts.current.server).toMatchObject({ kind: 'down', offers: [GATEWAY] });
    await tryAgain(OFFERS_MS / SERVER_RETRY_MS - 1);
    expect(client.asked).toBe(OFFERS_MS / SERVER_RETRY_MS);
    expect(sought).toHaveLength(1);
    await tryAgain(1);
    expect(sought).toHaveLength(2);
    expect(facts.current.server).toMatchObject({ kind: 'down', offers: [GATEWAY] });
    await sought[1]?.answer([]);
    expect(facts.current.server).not.toHaveProperty('offers');
  });

  it('an offer is taken when the person says so, and the server there is asked', async () => {
    await sought[0]?.answer([GATEWAY, { kind: 'forward', line: 'RemoteForward 11434 127.0.0.1:11434' }]);
    expect(await facts.useHost('172.20.0.1:11434')).toEqual({ ok: true });
    expect(used).toEqual(['172.20.0.1:11434']);
    expect(facts.current.server).toMatchObject({ kind: 'up', host: '172.20.0.1:11434' });
  });

  it('an offer that cannot be written into the settings is refused in words', async () => {
    await sought[0]?.answer([GATEWAY]);
    cannotWrite = true;
    expect(await facts.useHost('172.20.0.1:11434')).toEqual({
      ok: false,
      message: 'The settings cannot be written. Open them to see why.',
    });
    expect(facts.current.server).toMatchObject({ kind: 'down', host, offers: [GATEWAY] });
  });

  it('an address that was never offered is not taken, whoever asks', async () => {
    await sought[0]?.answer([GATEWAY]);
    expect(await facts.useHost('evil.example.org')).toMatchObject({ ok: false });
    expect(used).toEqual([]);
  });

  it('nothing is offered any more once a server answers', async () => {
    client.models = [];
    await tryAgain(1);
    expect(sought[0]?.signal.aborted).toBe(true);
    expect(facts.current.server.kind).toBe('up');
    expect(await facts.useHost(GATEWAY.kind === 'host' ? GATEWAY.host : '')).toMatchObject({ ok: false });
  });

  it('what was found for another address is not offered', async () => {
    await sought[0]?.answer([GATEWAY]);
    host = 'there:11434';
    await facts.ask();
    expect(facts.current.server).not.toHaveProperty('offers');
    expect(sought).toHaveLength(2);
  });
});
