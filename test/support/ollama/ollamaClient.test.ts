import { Ollama } from 'ollama/browser';
import type { ChatResponse } from 'ollama/browser';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callTool, cutOff, failWith, say, think } from './chatStep';
import { OllamaServer } from './ollamaServer';

// The real client library, so that the server cannot be faithful to our own reading of the protocol only.

let server: OllamaServer;
let client: Ollama;

beforeEach(async () => {
  server = await OllamaServer.start({
    models: [{ name: 'qwen3', capabilities: ['completion', 'tools', 'thinking'] }],
  });
  client = new Ollama({ host: server.url });
});

afterEach(() => server.close());

async function chat(received: ChatResponse[] = []): Promise<ChatResponse[]> {
  const messages = [{ role: 'user', content: 'Read a.ts' }];
  for await (const record of await client.chat({ model: 'qwen3', messages, stream: true })) received.push(record);
  return received;
}

it.each<['record' | 'done', boolean]>([
  ['record', false],
  ['done', true],
])('receives a tool call in a %s', async (where, isInDone) => {
  server.script(think('Hm.'), say('I read it.'), callTool('read_file', { path: 'a.ts' }, { where }));
  const records = await chat();
  const [withCall] = records.filter((record) => record.message.tool_calls);
  expect(withCall).toMatchObject({
    done: isInDone,
    message: { tool_calls: [{ function: { name: 'read_file', arguments: { path: 'a.ts' } } }] },
  });
  expect(records[0]?.message.thinking).toBe('Hm.');
  expect(records.at(-1)).toMatchObject({ done: true, done_reason: 'stop' });
});

it('throws an error in the stream after what came before it', async () => {
  server.script(say('The ans'), failWith('model runner has unexpectedly stopped'));
  const received: ChatResponse[] = [];
  await expect(chat(received)).rejects.toThrow('model runner has unexpectedly stopped');
  expect(received.map((record) => record.message.content)).toEqual(['The ans']);
});

it('throws on a stream that ends without done', async () => {
  server.script(say('The ans'), cutOff());
  await expect(chat()).rejects.toThrow('Did not receive done or success response in stream.');
});

it('throws the text and status of a missing model', async () => {
  server.models.remove('qwen3');
  await expect(chat()).rejects.toMatchObject({ error: `model 'qwen3' not found`, status_code: 404 });
});

it('reads the lists and the details of models', async () => {
  server.script(say('a'));
  await chat();
  expect((await client.list()).models[0]?.name).toBe('qwen3:latest');
  expect((await client.ps()).models[0]?.name).toBe('qwen3:latest');
  expect((await client.show({ model: 'qwen3' })).capabilities).toContain('thinking');
  expect(await client.version()).toEqual({ version: '0.32.15' });
});
