import { describe, expect, it } from 'vitest';
import { holdUntil, replyWith, say } from '../../../test/support/ollama/chatStep';
import { isFor, never, unaborted, useClientBench } from '../../../test/support/ollama/clientBench';
import { ManualClock } from '../../../test/support/manualClock';

const bench = useClientBench();

function asked(path: string): number {
  return bench.server.requests.filter(isFor(path)).length;
}

const plain = { size: 2_019_393_189, parameterSize: '3.2B', family: 'llama', trainedContext: 131_072 };
const can = { tools: false, thinking: false, vision: false, chat: true };

describe('the list of models', () => {
  it('says what is known of each, with one request', async () => {
    bench.server.models.add({
      name: 'far:cloud',
      remoteHost: 'https://ollama.com:443',
      modifiedAt: '2026-09-01T10:00:00Z',
      family: 'gptoss',
      contextLength: 65_536,
    });
    expect(await bench.client.listModels(unaborted)).toEqual({
      ok: true,
      value: {
        version: '0.32.15',
        models: [
          {
            ...plain,
            ...can,
            name: 'far:cloud',
            size: 382,
            tools: true,
            remoteHost: 'https://ollama.com:443',
            family: 'gptoss',
            trainedContext: 65_536,
          },
          { ...plain, ...can, name: 'llama3.2:latest', tools: true },
          { ...plain, ...can, name: 'qwen3:latest', tools: true, thinking: true },
          { ...plain, ...can, name: 'gemma3:latest', vision: true },
          { ...plain, ...can, name: 'embed:latest', chat: false },
        ],
      },
    });
    expect(asked('/api/show')).toBe(0);
  });

  it('says the same where the server lists no abilities, and asks for each model once', async () => {
    const now = await bench.client.listModels(unaborted);
    bench.server.version = '0.20.0';
    const older = bench.clientFor();
    const listed = await older.listModels(unaborted);
    expect(listed).toEqual({ ok: true, value: { ...(now.ok ? now.value : {}), version: '0.20.0' } });
    expect(asked('/api/show')).toBe(4);
    await older.listModels(unaborted);
    expect(asked('/api/show')).toBe(4);
    bench.server.models.add({ name: 'gemma3', digest: 'another', capabilities: ['completion'] });
    expect(await older.listModels(unaborted)).toMatchObject({
      value: {
        models: expect.arrayContaining([expect.objectContaining({ name: 'gemma3:latest', vision: false })]) as [],
      },
    });
    expect(asked('/api/show')).toBe(5);
  });

  it('leaves abilities unknown that nobody tells', async () => {
    bench.server.version = '0.6.0';
    const answer = await bench.client.listModels(unaborted);
    expect(answer).toMatchObject({ ok: true, value: { models: [{ name: 'llama3.2:latest' }, {}, {}, {}] } });
    expect(answer.ok && answer.value.models[0]).toEqual({ ...plain, name: 'llama3.2:latest' });
  });

  it('does not wait for descriptions without end, and tries those again the next time', async () => {
    const clock = new ManualClock();
    bench.server.version = '0.20.0';
    bench.server.disturb('/api/show', holdUntil(never));
    const client = bench.clientFor(clock);
    const answer = client.listModels(unaborted);
    await expect.poll(() => asked('/api/show')).toBe(4);
    // One timer for all descriptions, one for the one that does not come.
    await expect.poll(() => clock.pending).toBe(2);
    clock.advance(3_000);
    const first = await answer;
    expect(first.ok && first.value.models.filter((model) => model.tools === undefined).length).toBe(1);
    const second = await client.listModels(unaborted);
    expect(second.ok && second.value.models.every((model) => model.tools !== undefined)).toBe(true);
    expect(asked('/api/show')).toBe(5);
  });

  it('does without the version', async () => {
    bench.server.disturb('/api/version', replyWith(404, '404 page not found', 'text/plain'));
    expect(await bench.client.listModels(unaborted)).toMatchObject({ ok: true, value: { version: '' } });
  });

  it('notices that something else answers', async () => {
    bench.server.disturb('/api/tags', replyWith(200, '{"hello":1}', 'application/json'));
    expect(await bench.client.listModels(unaborted)).toMatchObject({ ok: false, failure: { reason: 'server_error' } });
    bench.server.disturb('/api/tags', replyWith(200, 'hello', 'text/plain'));
    expect(await bench.client.listModels(unaborted)).toMatchObject({ ok: false, failure: { reason: 'server_error' } });
  });

  it('is unreachable when nothing listens', async () => {
    await bench.server.stop();
    expect(await bench.client.listModels(unaborted)).toMatchObject({ ok: false, failure: { reason: 'unreachable' } });
  });

  it('gives up in the end', async () => {
    const clock = new ManualClock();
    bench.server.disturb('/api/tags', holdUntil(never));
    const answer = bench.clientFor(clock).listModels(unaborted);
    const request = await bench.server.nextRequest(isFor('/api/tags'));
    clock.advance(10_000);
    expect(await answer).toMatchObject({ ok: false, failure: { reason: 'unreachable' } });
    await request.closed;
    expect(clock.pending).toBe(0);
  });
});

describe('the description of a model', () => {
  it('says what it can do', async () => {
    expect(await bench.client.describe('qwen3', unaborted)).toEqual({
      ok: true,
      value: { tools: true, thinking: true, vision: false, trainedContext: 131_072 },
    });
  });

  it('does not know the abilities that an old server does not name', async () => {
    bench.server.version = '0.6.0';
    expect(await bench.client.describe('qwen3', unaborted)).toEqual({ ok: true, value: { trainedContext: 131_072 } });
  });

  it('knows when a model is not there', async () => {
    expect(await bench.client.describe('nope', unaborted)).toMatchObject({
      ok: false,
      failure: { reason: 'model_not_found' },
    });
  });

  it('can be stopped', async () => {
    bench.server.disturb('/api/show', holdUntil(never));
    const controller = new AbortController();
    const answer = bench.client.describe('qwen3', controller.signal);
    const request = await bench.server.nextRequest();
    controller.abort();
    expect(await answer).toEqual({ ok: false, failure: { reason: 'aborted', detail: '' } });
    await request.closed;
  });
});

describe('the models in memory', () => {
  it('come with the window that each runs with', async () => {
    bench.server.models.add({ name: 'small', contextLength: 4_096, size: 2_000, sizeVram: 500 });
    bench.server.script(say('ok'));
    await bench.collect({ model: 'small' });
    expect(await bench.client.listLoaded(unaborted)).toEqual({
      ok: true,
      value: [{ name: 'small:latest', contextLength: 4_096, size: 2_000, sizeVram: 500 }],
    });
  });

  it('have no window where an old server does not name it', async () => {
    bench.server.version = '0.9.0';
    bench.server.script(say('ok'));
    await bench.collect();
    expect(await bench.client.listLoaded(unaborted)).toEqual({
      ok: true,
      value: [{ name: 'llama3.2:latest', size: 2_019_393_189, sizeVram: 2_019_393_189 }],
    });
  });

  it('are without the ones that are only being loaded', async () => {
    const models = [{ name: 'llama3.2:latest', size: 7, context_length: 0 }];
    bench.server.disturb('/api/ps', replyWith(200, JSON.stringify({ models }), 'application/json'));
    expect(await bench.client.listLoaded(unaborted)).toEqual({ ok: true, value: [] });
  });
});
