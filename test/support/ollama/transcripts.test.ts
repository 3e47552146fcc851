import { afterEach, beforeEach, expect, it } from 'vitest';
import { callTool, done, failWith, say, think } from './chatStep';
import type { ChatStep } from './chatStep';
import { OllamaServer } from './ollamaServer';
import { rawChat } from './rawClient';

// The expected texts are quotes of the transcripts in "Ollama protocol", byte for byte.

let server: OllamaServer;
let clock: string;

beforeEach(async () => {
  server = await OllamaServer.start({
    models: [
      'llama3.2',
      { name: 'gemma3', capabilities: ['completion'] },
      { name: 'qwen3', capabilities: ['completion', 'tools', 'thinking'] },
      'qwen3-coder',
      { name: 'gpt-oss:20b', capabilities: ['completion', 'tools', 'thinking'] },
    ],
    now: () => new Date(clock),
  });
});

afterEach(() => server.close());

/** Plays each step at its time of day. */
function scriptAt(...steps: readonly (readonly [time: string, step: ChatStep | readonly ChatStep[]])[]): void {
  server.script(function* () {
    for (const [time, step] of steps) {
      clock = `2026-08-21T18:00:${time}Z`;
      yield* [step].flat();
    }
  });
}

it('writes a plain chat', async () => {
  scriptAt(
    ['00.100', say('Hel')],
    ['00.120', say('lo <b>')],
    [
      '00.140',
      done({
        total_duration: 412_000_000,
        load_duration: 51_000_000,
        prompt_eval_count: 26,
        prompt_eval_duration: 130_000_000,
        eval_count: 3,
        eval_duration: 61_000_000,
      }),
    ],
  );
  expect(await rawChat(server.url)).toMatchObject({
    status: 200,
    contentType: 'application/x-ndjson',
    ending: 'end',
    text: String.raw`{"model":"llama3.2","created_at":"2026-08-21T18:00:00.100Z","message":{"role":"assistant","content":"Hel"},"done":false}
{"model":"llama3.2","created_at":"2026-08-21T18:00:00.120Z","message":{"role":"assistant","content":"lo \u003cb\u003e"},"done":false}
{"model":"llama3.2","created_at":"2026-08-21T18:00:00.140Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":412000000,"load_duration":51000000,"prompt_eval_count":26,"prompt_eval_duration":130000000,"eval_count":3,"eval_duration":61000000}
`,
  });
});

it('writes thinking, then content', async () => {
  scriptAt(
    ['01.000', think('The user')],
    ['01.020', think(' greets.')],
    ['01.040', say('Hi')],
    [
      '01.060',
      done({
        total_duration: 900_000_000,
        load_duration: 40_000_000,
        prompt_eval_count: 18,
        prompt_eval_duration: 90_000_000,
        eval_count: 9,
        eval_duration: 300_000_000,
      }),
    ],
  );
  expect((await rawChat(server.url, { model: 'qwen3' })).text).toBe(
    `{"model":"qwen3","created_at":"2026-08-21T18:00:01.000Z","message":{"role":"assistant","content":"","thinking":"The user"},"done":false}
{"model":"qwen3","created_at":"2026-08-21T18:00:01.020Z","message":{"role":"assistant","content":"","thinking":" greets."},"done":false}
{"model":"qwen3","created_at":"2026-08-21T18:00:01.040Z","message":{"role":"assistant","content":"Hi"},"done":false}
{"model":"qwen3","created_at":"2026-08-21T18:00:01.060Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":900000000,"load_duration":40000000,"prompt_eval_count":18,"prompt_eval_duration":90000000,"eval_count":9,"eval_duration":300000000}
`,
  );
});

it('writes a tool call in a record of its own', async () => {
  scriptAt(
    ['02.000', think('I should read it.')],
    ['02.300', callTool('read_file', { path: 'src/a.ts' }, { id: 'call_a1b2c3d4' })],
    [
      '02.310',
      done({
        total_duration: 1_300_000_000,
        load_duration: 40_000_000,
        prompt_eval_count: 410,
        prompt_eval_duration: 500_000_000,
        eval_count: 41,
        eval_duration: 700_000_000,
      }),
    ],
  );
  expect((await rawChat(server.url, { model: 'qwen3' })).text).toBe(
    `{"model":"qwen3","created_at":"2026-08-21T18:00:02.000Z","message":{"role":"assistant","content":"","thinking":"I should read it."},"done":false}
{"model":"qwen3","created_at":"2026-08-21T18:00:02.300Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_a1b2c3d4","function":{"index":0,"name":"read_file","arguments":{"path":"src/a.ts"}}}]},"done":false}
{"model":"qwen3","created_at":"2026-08-21T18:00:02.310Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":1300000000,"load_duration":40000000,"prompt_eval_count":410,"prompt_eval_duration":500000000,"eval_count":41,"eval_duration":700000000}
`,
  );
});

it('writes a tool call in the done record', async () => {
  scriptAt(
    ['02.300', callTool('read_file', { path: 'src/a.ts' }, { id: 'call_k3j2h1g0', where: 'done' })],
    [
      '02.310',
      done({
        total_duration: 1_300_000_000,
        load_duration: 0,
        prompt_eval_count: 410,
        prompt_eval_duration: 0,
        eval_count: 41,
        eval_duration: 700_000_000,
      }),
    ],
  );
  expect((await rawChat(server.url, { model: 'gpt-oss:20b' })).text).toBe(
    `{"model":"gpt-oss:20b","created_at":"2026-08-21T18:00:02.310Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_k3j2h1g0","function":{"index":0,"name":"read_file","arguments":{"path":"src/a.ts"}}}]},"done":true,"done_reason":"stop","total_duration":1300000000,"prompt_eval_count":410,"eval_count":41,"eval_duration":700000000}
`,
  );
});

it('writes two parallel calls after content', async () => {
  scriptAt(
    ['03.000', say('Reading both files.')],
    ['03.200', callTool('read_file', { path: 'a.ts' }, { id: 'call_aaaa1111' })],
    ['03.400', callTool('read_file', { path: 'b.ts' }, { id: 'call_bbbb2222' })],
    [
      '03.410',
      done({
        total_duration: 1_500_000_000,
        load_duration: 0,
        prompt_eval_count: 420,
        prompt_eval_duration: 0,
        eval_count: 77,
        eval_duration: 0,
      }),
    ],
  );
  expect((await rawChat(server.url, { model: 'qwen3-coder' })).text).toBe(
    `{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.000Z","message":{"role":"assistant","content":"Reading both files."},"done":false}
{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.200Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_aaaa1111","function":{"index":0,"name":"read_file","arguments":{"path":"a.ts"}}}]},"done":false}
{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.400Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_bbbb2222","function":{"index":1,"name":"read_file","arguments":{"path":"b.ts"}}}]},"done":false}
{"model":"qwen3-coder","created_at":"2026-08-21T18:00:03.410Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":1500000000,"prompt_eval_count":420,"eval_count":77}
`,
  );
});

it('accepts and logs the follow-up request with both results', async () => {
  const followUp = {
    model: 'qwen3-coder',
    stream: true,
    messages: [
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
    ],
    tools: [],
  };
  server.script(say('They differ.'));
  clock = '2026-08-21T18:00:03.500Z';
  expect((await rawChat(server.url, followUp)).status).toBe(200);
  expect((await server.nextChat()).bodyText).toBe(
    '{"model":"qwen3-coder","messages":[{"role":"system","content":"…"},{"role":"user","content":"Compare a.ts and b.ts"},{"role":"assistant","content":"Reading both files.","tool_calls":[{"id":"call_aaaa1111","function":{"name":"read_file","arguments":{"path":"a.ts"}}},{"id":"call_bbbb2222","function":{"name":"read_file","arguments":{"path":"b.ts"}}}]},{"role":"tool","tool_name":"read_file","tool_call_id":"call_aaaa1111","content":"export const a = 1"},{"role":"tool","tool_name":"read_file","tool_call_id":"call_bbbb2222","content":"error: file not found"}],"stream":true,"tools":[]}',
  );
});

it('writes an error in the stream as its last line, with status 200', async () => {
  scriptAt(
    ['04.000', say('The ans')],
    ['04.100', failWith('an error was encountered while running the model: unexpected EOF')],
  );
  expect(await rawChat(server.url)).toMatchObject({
    status: 200,
    ending: 'end',
    text: `{"model":"llama3.2","created_at":"2026-08-21T18:00:04.000Z","message":{"role":"assistant","content":"The ans"},"done":false}
{"error":"an error was encountered while running the model: unexpected EOF"}
`,
  });
});

it('writes a stop by length', async () => {
  scriptAt(
    ['05.000', say('1 2 3')],
    [
      '05.100',
      done({
        done_reason: 'length',
        total_duration: 800_000_000,
        load_duration: 0,
        prompt_eval_count: 30,
        prompt_eval_duration: 0,
        eval_count: 16,
        eval_duration: 200_000_000,
      }),
    ],
  );
  expect((await rawChat(server.url)).text).toBe(
    `{"model":"llama3.2","created_at":"2026-08-21T18:00:05.000Z","message":{"role":"assistant","content":"1 2 3"},"done":false}
{"model":"llama3.2","created_at":"2026-08-21T18:00:05.100Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"length","total_duration":800000000,"prompt_eval_count":30,"eval_count":16,"eval_duration":200000000}
`,
  );
});

it('answers empty messages with a load reply that has no newline', async () => {
  clock = '2026-08-21T18:00:50Z';
  expect(await rawChat(server.url, { messages: [] })).toMatchObject({
    contentType: 'application/json; charset=utf-8',
    text: '{"model":"llama3.2","created_at":"2026-08-21T18:00:50.000Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"load"}',
  });
});

it.each([
  ['an unknown model', { model: 'nope' }, 404, `{"error":"model 'nope' not found"}`],
  [
    'tools for a model without them',
    { model: 'gemma3', tools: [{ type: 'function', function: { name: 'read_file' } }] },
    400,
    '{"error":"registry.ollama.ai/library/gemma3:latest does not support tools"}',
  ],
  [
    'thinking for a model without it',
    { think: true },
    400,
    String.raw`{"error":"\"llama3.2\" does not support thinking"}`,
  ],
])('refuses %s before the stream', async (_case, fields, status, text) => {
  expect(await rawChat(server.url, fields)).toMatchObject({
    status,
    text,
    contentType: 'application/json; charset=utf-8',
  });
});

it('fails before the stream with a status and further keys', async () => {
  server.script(failWith('server busy, please try again.  maximum pending requests exceeded', { status: 503 }));
  server.script(
    failWith('unauthorized', { status: 401, extra: { signin_url: 'https://ollama.com/connect?name=host&key=abc' } }),
  );
  expect(await rawChat(server.url)).toMatchObject({
    status: 503,
    contentType: 'application/json',
    text: '{"error":"server busy, please try again.  maximum pending requests exceeded"}',
  });
  expect(await rawChat(server.url)).toMatchObject({
    status: 401,
    text: String.raw`{"error":"unauthorized","signin_url":"https://ollama.com/connect?name=host\u0026key=abc"}`,
  });
});
