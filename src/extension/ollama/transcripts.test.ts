import { describe, expect, it } from 'vitest';
import { cutOff, done, failWith, raw, say, think, type ChatStep } from '../../../test/support/ollama/chatStep';
import { callsOf, failureIn, textOf, unaborted, useClientBench } from '../../../test/support/ollama/clientBench';
import { Gate } from '../../../test/support/ollama/gate';
import type { PullEvent } from './modelClient';

const bench = useClientBench();

/** The lines of a transcript of the protocol as they are, and nothing after them. */
function lines(text: string): readonly ChatStep[] {
  return [raw(`${text.trim()}\n`), cutOff()];
}

const readA = { id: 'call_aaaa1111', name: 'read_file', arguments: { path: 'a.ts' } };
const readB = { id: 'call_bbbb2222', name: 'read_file', arguments: { path: 'b.ts' } };

describe('5.1', () => {
  it('plain chat: pieces as they come, and the figures of the server', async () => {
    const events = await bench.play(
      lines(String.raw`
{"model":"llama3.2","created_at":"2026-08-21T18:00:00.100Z","message":{"role":"assistant","content":"Hel"},"done":false}
{"model":"llama3.2","created_at":"2026-08-21T18:00:00.120Z","message":{"role":"assistant","content":"lo \u003cb\u003e"},"done":false}
{"model":"llama3.2","created_at":"2026-08-21T18:00:00.140Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":412000000,"load_duration":51000000,"prompt_eval_count":26,"prompt_eval_duration":130000000,"eval_count":3,"eval_duration":61400000}`),
    );
    expect(events).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo <b>' },
      { type: 'end', reason: 'stop', usage: { promptTokens: 26, answerTokens: 3, answerMs: 61 } },
    ]);
  });
});

describe('5.2', () => {
  it('thinking, then content: told apart', async () => {
    const events = await bench.play(
      lines(`
{"model":"qwen3","created_at":"2026-08-21T18:00:01.000Z","message":{"role":"assistant","content":"","thinking":"The user"},"done":false}
{"model":"qwen3","created_at":"2026-08-21T18:00:01.020Z","message":{"role":"assistant","content":"","thinking":" greets."},"done":false}
{"model":"qwen3","created_at":"2026-08-21T18:00:01.040Z","message":{"role":"assistant","content":"Hi"},"done":false}
{"model":"qwen3","created_at":"2026-08-21T18:00:01.060Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":900000000,"load_duration":40000000,"prompt_eval_count":18,"prompt_eval_duration":90000000,"eval_count":9,"eval_duration":300000000}`),
    );
    expect(events).toEqual([
      { type: 'thinking', text: 'The user' },
      { type: 'thinking', text: ' greets.' },
      { type: 'text', text: 'Hi' },
      { type: 'end', reason: 'stop', usage: { promptTokens: 18, answerTokens: 9, answerMs: 300 } },
    ]);
  });
});

describe('5.3', () => {
  it('one tool call, variant A: the call has a record of its own', async () => {
    const events = await bench.play(
      lines(`
{"model":"qwen3","created_at":"2026-08-21T18:00:02.000Z","message":{"role":"assistant","content":"","thinking":"I should read it."},"done":false}
{"model":"qwen3","created_at":"2026-08-21T18:00:02.300Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_a1b2c3d4","function":{"index":0,"name":"read_file","arguments":{"path":"src/a.ts"}}}]},"done":false}
{"model":"qwen3","created_at":"2026-08-21T18:00:02.310Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":1300000000,"load_duration":40000000,"prompt_eval_count":410,"prompt_eval_duration":500000000,"eval_count":41,"eval_duration":700000000}`),
    );
    expect(events).toEqual([
      { type: 'thinking', text: 'I should read it.' },
      { type: 'tool_call', call: { id: 'call_a1b2c3d4', name: 'read_file', arguments: { path: 'src/a.ts' } } },
      { type: 'end', reason: 'stop', usage: { promptTokens: 410, answerTokens: 41, answerMs: 700 } },
    ]);
  });

  it('one tool call, variant B: the call sits in the done record', async () => {
    const events = await bench.play(
      lines(`
{"model":"gpt-oss:20b","created_at":"2026-08-21T18:00:02.310Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_k3j2h1g0","function":{"index":0,"name":"read_file","arguments":{"path":"src/a.ts"}}}]},"done":true,"done_reason":"stop","total_duration":1300000000,"prompt_eval_count":410,"eval_count":41,"eval_duration":700000000}`),
    );
    expect(events).toEqual([
      { type: 'tool_call', call: { id: 'call_k3j2h1g0', name: 'read_file', arguments: { path: 'src/a.ts' } } },
      { type: 'end', reason: 'stop', usage: { promptTokens: 410, answerTokens: 41, answerMs: 700 } },
    ]);
  });
});

describe('5.4', () => {
  it('two parallel calls after content, in two records', async () => {
    const events = await bench.play(
      lines(`
{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.000Z","message":{"role":"assistant","content":"Reading both files."},"done":false}
{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.200Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_aaaa1111","function":{"index":0,"name":"read_file","arguments":{"path":"a.ts"}}}]},"done":false}
{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.400Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_bbbb2222","function":{"index":1,"name":"read_file","arguments":{"path":"b.ts"}}}]},"done":false}
{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.410Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":1500000000,"prompt_eval_count":420,"eval_count":77}`),
    );
    expect(events).toEqual([
      { type: 'text', text: 'Reading both files.' },
      { type: 'tool_call', call: readA },
      { type: 'tool_call', call: readB },
      { type: 'end', reason: 'stop', usage: { promptTokens: 420, answerTokens: 77 } },
    ]);
  });

  it('two parallel calls after content, in one array', async () => {
    const events = await bench.play(
      lines(`
{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.000Z","message":{"role":"assistant","content":"Reading both files."},"done":false}
{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.200Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_aaaa1111","function":{"index":0,"name":"read_file","arguments":{"path":"a.ts"}}},{"id":"call_bbbb2222","function":{"index":1,"name":"read_file","arguments":{"path":"b.ts"}}}]},"done":false}
{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.410Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":1500000000,"prompt_eval_count":420,"eval_count":77}`),
    );
    expect(callsOf(events)).toEqual([readA, readB]);
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' });
  });
});

describe('5.5', () => {
  it('follow-up request: the assistant message with its calls, then a result for each in their order', async () => {
    bench.server.models.add('qwen3-coder');
    bench.server.script(say('They differ.'));
    const events = await bench.collect({
      model: 'qwen3-coder',
      messages: [
        { role: 'system', content: '…' },
        { role: 'user', content: 'Compare a.ts and b.ts' },
        { role: 'assistant', content: 'Reading both files.', toolCalls: [readA, readB] },
        { role: 'tool', toolName: 'read_file', toolCallId: 'call_aaaa1111', content: 'export const a = 1' },
        { role: 'tool', toolName: 'read_file', toolCallId: 'call_bbbb2222', content: 'error: file not found' },
      ],
    });
    expect(textOf(events)).toBe('They differ.');
    expect(bench.server.chats[0]!.chat.messages).toEqual([
      { role: 'system', content: '…' },
      { role: 'user', content: 'Compare a.ts and b.ts' },
      {
        role: 'assistant',
        content: 'Reading both files.',
        tool_calls: [
          { id: 'call_aaaa1111', function: { name: 'read_file', arguments: { path: 'a.ts' } } },
          { id: 'call_bbbb2222', function: { name: 'read_file', arguments: { path: 'b.ts' } } },
        ],
      },
      { role: 'tool', tool_name: 'read_file', tool_call_id: 'call_aaaa1111', content: 'export const a = 1' },
      { role: 'tool', tool_name: 'read_file', tool_call_id: 'call_bbbb2222', content: 'error: file not found' },
    ]);
  });
});

describe('5.6', () => {
  it('error in mid-stream with status 200: the words stay, and the failure is told in the server’s', async () => {
    const events = await bench.play(
      lines(`
{"model":"llama3.2","created_at":"2026-08-21T18:00:04.000Z","message":{"role":"assistant","content":"The ans"},"done":false}
{"error":"an error was encountered while running the model: unexpected EOF"}`),
    );
    expect(events).toEqual([
      { type: 'text', text: 'The ans' },
      {
        type: 'failed',
        failure: {
          reason: 'runner_stopped',
          detail: 'an error was encountered while running the model: unexpected EOF',
        },
      },
    ]);
  });

  it('error after three pieces: all three stay', async () => {
    const events = await bench.play(say('a', 'b', 'c'), failWith('an error was encountered'));
    expect(textOf(events)).toBe('abc');
    expect(failureIn(events)).toEqual({ reason: 'server_error', detail: 'an error was encountered' });
  });
});

describe('5.7', () => {
  it('length stop: told as such', async () => {
    const events = await bench.play(
      lines(`
{"model":"llama3.2","created_at":"2026-08-21T18:00:05.000Z","message":{"role":"assistant","content":"1 2 3"},"done":false}
{"model":"llama3.2","created_at":"2026-08-21T18:00:05.100Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"length","total_duration":800000000,"prompt_eval_count":30,"eval_count":16,"eval_duration":200000000}`),
    );
    expect(events).toEqual([
      { type: 'text', text: '1 2 3' },
      { type: 'end', reason: 'length', usage: { promptTokens: 30, answerTokens: 16, answerMs: 200 } },
    ]);
  });
});

describe('5.8', () => {
  it('model load wait: nothing at all for a while, then the answer', async () => {
    const read = new Gate();
    bench.server.holdLoads(read.opened);
    bench.server.script(say('Hello'), done({ load_duration: 44_000_000_000 }));
    const answer = bench.collect();
    const request = await bench.server.nextChat();
    // A whole exchange on another connection: time enough for headers, had there been any.
    await bench.client.listLoaded(unaborted);
    expect(request.headersSentAt).toBeUndefined();
    read.open();
    const events = await answer;
    expect(textOf(events)).toBe('Hello');
    expect(events.at(-1)).toMatchObject({ type: 'end' });
  });

  it('explicit load: one object without a newline', async () => {
    const reply =
      '{"model":"llama3.2","created_at":"2026-08-21T18:00:50Z","response":"","done":true,"done_reason":"load"}';
    bench.server.disturb('/api/generate', {
      status: 200,
      body: reply,
      contentType: 'application/json; charset=utf-8',
    });
    expect(await bench.client.load({ model: 'llama3.2', contextLength: 8192 }, unaborted)).toEqual({
      ok: true,
      value: undefined,
    });
  });
});

describe('5.9', () => {
  async function pull(model: string): Promise<PullEvent[]> {
    const events: PullEvent[] = [];
    for await (const event of bench.client.pull(model, unaborted)) events.push(event);
    return events;
  }
  const digest = 'dde5aa3fc5ffc17176b5e8bdc82f587b24b2678c6c66101bf7da77af9f7ccdff';

  it('pull: each record is progress, success is the end', async () => {
    const layer = { digest, total: 2_019_377_376, tells: [0, 241_970] };
    bench.server.offer({ model: 'new', layers: [layer] });
    const progress = { type: 'progress', digest: `sha256:${digest}`, total: 2_019_377_376 };
    expect(await pull('new')).toEqual([
      { type: 'progress', status: 'pulling manifest' },
      { ...progress, status: 'pulling dde5aa3fc5ff', completed: 0 },
      { ...progress, status: 'pulling dde5aa3fc5ff', completed: 241_970 },
      { type: 'progress', status: 'verifying sha256 digest' },
      { type: 'progress', status: 'writing manifest' },
      { type: 'done' },
    ]);
  });

  it('pull of an unknown model: the error comes in the stream', async () => {
    expect(await pull('nope')).toEqual([
      { type: 'progress', status: 'pulling manifest' },
      {
        type: 'failed',
        failure: { reason: 'model_not_found', detail: 'pull model manifest: file does not exist' },
      },
    ]);
  });
});

describe('5.10', () => {
  const tool = { name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: {} } };

  it('404 before the stream: the model is not there, in the server’s words', async () => {
    expect(failureIn(await bench.collect({ model: 'nope' }))).toEqual({
      reason: 'model_not_found',
      status: 404,
      detail: "model 'nope' not found",
    });
  });

  it('400 before the stream: the model cannot use tools', async () => {
    expect(failureIn(await bench.collect({ model: 'gemma3', tools: [tool] }))).toEqual({
      reason: 'no_tools',
      status: 400,
      detail: 'registry.ollama.ai/library/gemma3:latest does not support tools',
    });
  });

  it('400 before the stream: the model cannot think', async () => {
    expect(failureIn(await bench.collect({ think: true }))).toEqual({
      reason: 'no_thinking',
      status: 400,
      detail: '"llama3.2" does not support thinking',
    });
  });

  it('503 before the stream: the queue is full', async () => {
    const words = 'server busy, please try again.  maximum pending requests exceeded';
    expect(failureIn(await bench.play(failWith(words, { status: 503 })))).toEqual({
      reason: 'busy',
      status: 503,
      detail: words,
    });
  });

  it('401 before the stream: the address for the sign-in is kept', async () => {
    const signin_url = 'https://ollama.com/connect?name=host&key=abc';
    expect(failureIn(await bench.play(failWith('unauthorized', { status: 401, extra: { signin_url } })))).toEqual({
      reason: 'sign_in',
      status: 401,
      detail: `unauthorized\n${signin_url}`,
    });
  });
});

describe('5.11', () => {
  const words = 'error parsing tool call: raw=\'{"path":"a.ts"}]\', err=invalid character \']\' after top-level value';

  it('malformed arguments, a: the server cannot read them, before the first record', async () => {
    expect(failureIn(await bench.play(failWith(words)))).toEqual({ reason: 'model_fault', status: 500, detail: words });
  });

  it('malformed arguments, b: the server cannot read them, after thinking', async () => {
    const events = await bench.play(think('I should read it.'), failWith(words));
    expect(textOf(events, 'thinking')).toBe('I should read it.');
    expect(failureIn(events)).toEqual({ reason: 'model_fault', detail: words });
  });

  it('malformed arguments, c: wrong types reach whoever checks them by the schema', async () => {
    const events = await bench.play(
      lines(String.raw`
{"model":"llama3.2","created_at":"2026-08-21T18:00:06.000Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"index":0,"name":"read_file","arguments":{"path":["a.ts"],"limit":"10","object":"{\"path\":\"a.ts\"}"}}}]},"done":false}
{"done":true}`),
    );
    expect(callsOf(events)).toEqual([
      {
        id: expect.stringMatching(/^call_\w{8}$/) as string,
        name: 'read_file',
        arguments: { path: ['a.ts'], limit: '10', object: '{"path":"a.ts"}' },
      },
    ]);
  });

  it.each([
    String.raw`{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.ts\"}}`,
    String.raw`\u003ctool_call\u003e\n{\"name\": \"read_file\"}\n\u003c/tool_call\u003e`,
    String.raw`\u003cfunction=read_file\u003e\u003cparameter=path\u003ea.ts`,
  ])('malformed arguments, d: a call as text is text, whole: %s', async (content) => {
    const events = await bench.play(lines(`{"message":{"role":"assistant","content":"${content}"}}\n{"done":true}`));
    expect(textOf(events)).toBe(JSON.parse(`"${content}"`));
    expect(callsOf(events)).toEqual([]);
  });

  it('malformed arguments, e: an empty turn has an end and figures only', async () => {
    expect(await bench.play(done({ eval_count: 7 }))).toMatchObject([
      { type: 'end', reason: 'stop', usage: { answerTokens: 7 } },
    ]);
  });

  it('malformed arguments, f: JSON text becomes an object, and null an empty one', async () => {
    const events = await bench.play(
      lines(String.raw`
{"message":{"content":"","tool_calls":[{"function":{"name":"a","arguments":"{\"path\":\"a.ts\"}"}},{"function":{"name":"b","arguments":null}}]}}
{"done":true}`),
    );
    expect(callsOf(events).map((call) => call.arguments)).toEqual([{ path: 'a.ts' }, {}]);
  });
});
