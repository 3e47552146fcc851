import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from './goJson';
import { OllamaServer } from './ollamaServer';
import { rawRequest } from './rawClient';
import type { RawReply } from './rawClient';

let server: OllamaServer;

beforeEach(async () => {
  server = await OllamaServer.start({ models: ['llama3.2'], now: () => new Date('2026-08-21T18:00:50Z') });
});

afterEach(() => server.close());

function generate(fields: JsonObject): Promise<RawReply> {
  return rawRequest(`${server.url}/api/generate`, 'POST', fields);
}

function windows(): number[] {
  return server.loaded.list().map(({ contextLength }) => contextLength);
}

describe('/api/generate', () => {
  it.each([true, false])('loads with one object that has no newline, with stream: %s', async (stream) => {
    expect(await generate({ model: 'llama3.2', stream, options: { num_ctx: 8192 } })).toMatchObject({
      status: 200,
      contentType: 'application/json; charset=utf-8',
      text: '{"model":"llama3.2","created_at":"2026-08-21T18:00:50.000Z","response":"","done":true,"done_reason":"load"}',
    });
    expect(windows()).toEqual([8192]);
  });

  it('unloads with a time to live of nothing', async () => {
    await generate({ model: 'llama3.2' });
    expect(windows()).toEqual([4096]);
    expect(await generate({ model: 'llama3.2', keep_alive: 0 })).toMatchObject({
      status: 200,
      text: '{"model":"llama3.2","created_at":"2026-08-21T18:00:50.000Z","response":"","done":true,"done_reason":"unload"}',
    });
    expect(windows()).toEqual([]);
  });

  it.each<[JsonObject, number, string]>([
    [{}, 400, 'model is required'],
    [{ model: 'nope' }, 404, "model 'nope' not found"],
    [{ model: 'a b' }, 404, "model 'a b' not found"],
    [{ model: 'llama3.2', keep_alive: 'soon' }, 400, 'time: invalid duration "soon"'],
    [{ model: 'llama3.2', prompt: 'Hi' }, 501, 'this test server completes no prompts'],
  ])('refuses %j', async (fields, status, error) => {
    expect(await generate(fields)).toMatchObject({ status, text: JSON.stringify({ error }) });
  });

  it('loads anew for another window or another way to shift, and not otherwise', async () => {
    const model = server.models.find('llama3.2')!;
    await generate({ model: 'llama3.2', shift: false });
    expect(server.loaded.has(model, 4096, false)).toBe(true);
    expect(server.loaded.has(model, 4096)).toBe(false);
    expect(server.loaded.has(model, 8192, false)).toBe(false);
  });
});
