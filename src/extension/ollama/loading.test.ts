import { describe, expect, it } from 'vitest';
import { failWith, replyWith, say } from '../../../test/support/ollama/chatStep';
import { isFor, never, unaborted, useClientBench } from '../../../test/support/ollama/clientBench';

const bench = useClientBench();
const request = { model: 'llama3.2', contextLength: 8192 };

async function loadedNames(): Promise<readonly string[]> {
  const answer = await bench.client.listLoaded(unaborted);
  return answer.ok ? answer.value.map(({ name, contextLength }) => `${name} ${contextLength}`) : [];
}

describe('loading a model', () => {
  it('reads it into memory as a chat will need it, so that the chat loads nothing', async () => {
    expect(await bench.client.load({ ...request, keepAlive: '10m' }, unaborted)).toEqual({
      ok: true,
      value: undefined,
    });
    expect((await bench.server.nextRequest(isFor('/api/generate'))).body).toEqual({
      model: 'llama3.2',
      prompt: '',
      stream: false,
      truncate: false,
      shift: false,
      keep_alive: '10m',
      options: { num_ctx: 8192 },
    });
    expect(await loadedNames()).toEqual(['llama3.2:latest 8192']);
    const held = bench.server.models.find('llama3.2');
    expect(held && bench.server.loaded.has(held, 8192, false)).toBe(true);
    // Would hang if it had to be loaded.
    bench.server.holdLoads(never);
    bench.server.script(say('Hi'));
    expect((await bench.collect()).at(-1)).toMatchObject({ type: 'end' });
  });

  it('can be stopped, as the server sees', async () => {
    bench.server.holdLoads(never);
    const controller = new AbortController();
    const answer = bench.client.load(request, controller.signal);
    const asked = await bench.server.nextRequest(isFor('/api/generate'));
    controller.abort();
    expect(await answer).toEqual({ ok: false, failure: { reason: 'aborted', detail: '' } });
    await asked.closed;
    expect(await loadedNames()).toEqual([]);
  });

  it('fails in the server’s words', async () => {
    const words = 'model requires more system memory (9.1 GiB) than is available (4.0 GiB)';
    bench.server.disturb('/api/generate', failWith(words));
    expect(await bench.client.load(request, unaborted)).toEqual({
      ok: false,
      failure: { reason: 'load_failed', status: 500, detail: words },
    });
    expect(await bench.client.load({ ...request, model: 'nope' }, unaborted)).toMatchObject({
      ok: false,
      failure: { reason: 'model_not_found' },
    });
  });

  it('is not taken for done when something else answers', async () => {
    bench.server.disturb('/api/generate', replyWith(200, '{"hello":1}', 'application/json'));
    expect(await bench.client.load(request, unaborted)).toMatchObject({
      ok: false,
      failure: { reason: 'server_error' },
    });
  });
});

describe('unloading a model', () => {
  it('takes it out of memory', async () => {
    await bench.client.load(request, unaborted);
    expect(await bench.client.unload('llama3.2', unaborted)).toEqual({ ok: true, value: undefined });
    expect(await loadedNames()).toEqual([]);
    expect(bench.server.requests.filter(isFor('/api/generate')).at(-1)!.body).toEqual({
      model: 'llama3.2',
      prompt: '',
      keep_alive: 0,
      stream: false,
    });
  });

  it('fails for one that is not there', async () => {
    expect(await bench.client.unload('nope', unaborted)).toMatchObject({
      ok: false,
      failure: { reason: 'model_not_found' },
    });
  });
});
