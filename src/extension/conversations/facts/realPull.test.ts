import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WindowFacts } from '../../../protocol/status';
import { Gate } from '../../../../test/support/ollama/gate';
import { OllamaServer } from '../../../../test/support/ollama/ollamaServer';
import { systemClock } from '../../base/clock';
import { silentLog } from '../../base/log';
import { OllamaClient } from '../../ollama/ollamaClient';
import { WindowFactsWatch } from './windowFacts';

const LAYERS = [
  { digest: 'a'.repeat(64), total: 1_000, tells: [0, 400, 1_000] },
  { digest: 'b'.repeat(64), total: 10 },
];

let server: OllamaServer;
let facts: WindowFactsWatch;
let last: string | undefined;

beforeEach(async () => {
  server = await OllamaServer.start();
  last = undefined;
  const client = new OllamaClient(server.url, systemClock, silentLog);
  facts = new WindowFactsWatch(
    {
      folder: () => undefined,
      remote: () => undefined,
      memory: () => 0,
      offers: () => Promise.resolve([]),
      useHost: () => Promise.resolve(),
      server: () => ({ host: server.host, client }),
      lastModel: () => last,
      remember: (model) => {
        last = model;
      },
    },
    systemClock,
  );
  await facts.ask();
});

afterEach(async () => {
  facts.dispose();
  await server.close();
});

/** Resolves with the first facts that are as wanted. */
function factsWith(wanted: (facts: WindowFacts) => boolean): Promise<WindowFacts> {
  return new Promise((resolve) => {
    if (wanted(facts.current)) return resolve(facts.current);
    const stop = facts.listen((now) => {
      if (!wanted(now)) return;
      stop();
      resolve(now);
    });
  });
}

describe('a pull from a server that speaks the protocol', () => {
  it('shows how far it is, pauses when it is cancelled, goes on there, and ends with a model that is used', async () => {
    const release = new Gate();
    const hold = (completed: number): Promise<void> | undefined => (completed === 1_000 ? release.opened : undefined);
    server.offer({ model: 'new', layers: LAYERS, hold });
    expect(facts.pulls.start('new')).toEqual({ ok: true });
    const some = await factsWith(({ pulls }) => pulls?.[0]?.kind === 'pulling' && pulls[0].completed === 400);
    expect(some.pulls).toMatchObject([{ model: 'new', total: 1_000 }]);
    const first = await server.nextRequest(({ path }) => path === '/api/pull');
    facts.pulls.cancel('new');
    await first.closed;
    expect(facts.current.pulls).toBeUndefined();
    facts.pulls.start('new');
    await factsWith(({ pulls }) => pulls?.[0]?.kind === 'pulling' && pulls[0].completed === 400);
    release.open();
    const done = await factsWith(({ model }) => model !== undefined);
    expect(done).toMatchObject({ model: 'new:latest', server: { models: [{ name: 'new:latest' }] } });
    await factsWith(({ pulls }) => pulls === undefined);
  });

  it('says that there is no such model', async () => {
    facts.pulls.start('nope');
    const failed = await factsWith(({ pulls }) => pulls?.[0]?.kind === 'failed');
    expect(failed.pulls).toEqual([{ model: 'nope', kind: 'failed', why: 'Ollama found no model named nope.' }]);
  });

  it('says what to do when the connection breaks', async () => {
    server.offer({
      model: 'new',
      layers: LAYERS,
      hold: (completed) => (completed === 400 ? server.stop() : undefined),
    });
    facts.pulls.start('new');
    const failed = await factsWith(({ pulls }) => pulls?.[0]?.kind === 'failed');
    expect(failed.pulls).toMatchObject([{ why: expect.stringContaining('pull it again to go on') }]);
  });
});
