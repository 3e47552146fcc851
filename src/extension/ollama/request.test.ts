import { describe, expect, it } from 'vitest';
import { say } from '../../../test/support/ollama/chatStep';
import { failureIn, question, textOf, unaborted, useClientBench } from '../../../test/support/ollama/clientBench';

const bench = useClientBench();

describe('a request', () => {
  it('carries the history as the server wants it', async () => {
    bench.server.script(say('ok'));
    await bench.collect({
      model: 'qwen3',
      think: 'max',
      keepAlive: '10m',
      maxTokens: 2_000,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'lone \ud83d half', images: ['AAEC'] },
        {
          role: 'assistant',
          content: '',
          thinking: 'hm',
          toolCalls: [{ id: 'c1', name: 'read_file', arguments: { path: 'a' } }],
        },
        { role: 'tool', content: 'text', toolName: 'read_file', toolCallId: 'c1' },
      ],
      tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: {} } }],
    });
    expect(bench.server.chats[0]!.body).toEqual({
      model: 'qwen3',
      stream: true,
      think: 'max',
      truncate: false,
      shift: false,
      keep_alive: '10m',
      options: { num_ctx: 8192, num_predict: 2_000 },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'lone \uFFFD half', images: ['AAEC'] },
        {
          role: 'assistant',
          content: '',
          thinking: 'hm',
          tool_calls: [{ id: 'c1', function: { name: 'read_file', arguments: { path: 'a' } } }],
        },
        { role: 'tool', content: 'text', tool_name: 'read_file', tool_call_id: 'c1' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: {} } },
        },
      ],
    });
  });

  it('leaves out what it does not set, and sends plain seconds as a number', async () => {
    bench.server.script(say('ok'));
    await bench.collect({ keepAlive: ' 300 ' });
    expect(bench.server.chats[0]!.body).toEqual({
      model: 'llama3.2',
      stream: true,
      truncate: false,
      shift: false,
      keep_alive: 300,
      options: { num_ctx: 8192 },
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('leaves what it was made of as it was', async () => {
    const request = {
      ...question,
      messages: [{ role: 'user', content: 'What is this?', images: ['AAEC'] }],
    } as const;
    const before = structuredClone(request);
    bench.server.script(say('ok'));
    await bench.collect(request);
    expect(request).toEqual(before);
  });

  it('does not leave before it is read', async () => {
    bench.client.chat(question, unaborted);
    await bench.client.listModels(unaborted);
    expect(bench.server.chats).toEqual([]);
  });

  it('that is longer than the window is refused, never cut, by old servers and new ones', async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(40_000) }] as const;
    for (const version of ['0.20.0', '0.32.15']) {
      bench.server.version = version;
      bench.server.script(say('I saw all of it.'));
      expect(failureIn(await bench.collect({ messages }))).toMatchObject({ reason: 'overflow', status: 400 });
    }
  });

  it('whose answer fills the window ends there, and nothing of the prompt is given up for it', async () => {
    const pieces = Array.from({ length: 2_000 }, () => 'word '.repeat(10));
    const events = await bench.play(say(...pieces));
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'length' });
    expect(textOf(events).length).toBeLessThan(pieces.join('').length);
  });
});
