import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  bareDone,
  blankLine,
  callTool,
  callTools,
  cutOff,
  done,
  failWith,
  framed,
  garbageLine,
  headersOnly,
  holdUntil,
  raw,
  record,
  replyWith,
  resetConnection,
  say,
  think,
  type ChatStep,
} from '../../../test/support/ollama/chatStep';
import { OllamaServer } from '../../../test/support/ollama/ollamaServer';
import { systemClock, type Clock } from '../base/clock';
import { silentLog } from '../base/log';
import type { ChatRequest, ModelEvent, ModelFailure } from './modelClient';
import { OllamaClient } from './ollamaClient';

const never = new Promise<never>(() => undefined);
const unaborted = new AbortController().signal;
const request: ChatRequest = {
  model: 'llama3.2',
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [],
  contextLength: 8192,
};

let server: OllamaServer;
let client: OllamaClient;
const printed = vi.spyOn(console, 'log');
const warned = vi.spyOn(console, 'warn');

beforeEach(async () => {
  server = await OllamaServer.start({
    models: ['llama3.2', { name: 'qwen3', capabilities: ['completion', 'tools', 'thinking'] }],
  });
  client = clientFor(server.url);
  printed.mockReset();
  warned.mockReset();
});

afterEach(async () => {
  // The library prints what it cannot parse; that is the model's text and no business of the console.
  expect(printed).not.toHaveBeenCalled();
  expect(warned).not.toHaveBeenCalled();
  await server.close();
});

function clientFor(url: string, clock: Clock = systemClock): OllamaClient {
  return new OllamaClient(url, clock, silentLog);
}

async function collect(changes: Partial<ChatRequest> = {}, signal = unaborted, by = client): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of by.chat({ ...request, ...changes }, signal)) events.push(event);
  const closings = events.filter(({ type }) => type === 'end' || type === 'failed' || type === 'aborted');
  expect(closings).toEqual(events.slice(-1));
  return events;
}

async function play(...steps: (ChatStep | readonly ChatStep[])[]): Promise<ModelEvent[]> {
  server.script(...steps);
  return collect();
}

function textOf(events: readonly ModelEvent[], type: 'text' | 'thinking' = 'text'): string {
  return events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
}

function callsOf(events: readonly ModelEvent[]): unknown[] {
  return events.flatMap((event) => (event.type === 'tool_call' ? [event.call] : []));
}

function failureIn(events: readonly ModelEvent[]): ModelFailure {
  const last = events.at(-1);
  if (last?.type !== 'failed') throw new Error(`not failed: ${JSON.stringify(last)}`);
  return last.failure;
}

function message(content: string, rest: Record<string, string | boolean> = {}): ChatStep {
  return record({ model: 'llama3.2', message: { role: 'assistant', content }, done: false, ...rest });
}

describe('a reply', () => {
  it('arrives piece by piece, with the figures of the server', async () => {
    const events = await play(
      say('Hel', 'lo <b>'),
      done({ prompt_eval_count: 26, eval_count: 3, eval_duration: 61_400_000 }),
    );
    expect(events).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo <b>' },
      { type: 'end', reason: 'stop', usage: { promptTokens: 26, answerTokens: 3, answerMs: 61 } },
    ]);
  });

  it('may think first', async () => {
    const events = await play(think('The user', ' greets.'), say('Hi'));
    expect(events.slice(0, -1)).toEqual([
      { type: 'thinking', text: 'The user' },
      { type: 'thinking', text: ' greets.' },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('may think and speak in one record', async () => {
    const events = await play({ content: 'Hi', thinking: 'greet' });
    expect(events.slice(0, -1)).toEqual([
      { type: 'thinking', text: 'greet' },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('may end at the limit of tokens', async () => {
    const events = await play(say('1 2 3'), done({ done_reason: 'length' }));
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'length' });
  });

  it('may be done without a reason and without figures', async () => {
    expect((await play(say('Hi'), bareDone())).at(-1)).toEqual({ type: 'end', reason: 'stop', usage: {} });
  });

  it('may have an unknown reason and unknown keys', async () => {
    const events = await play(message('Hi', { mood: 'good' }), done({ done_reason: 'tired' }));
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' });
  });

  it('may give a reason without saying that it is done', async () => {
    const events = await play(message('Hi'), message('', { done_reason: 'length' }), cutOff());
    expect(events).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'end', reason: 'length', usage: {} },
    ]);
  });

  it('may be empty', async () => {
    expect(await play(done({ done_reason: 'stop', eval_count: 7 }))).toMatchObject([
      { type: 'end', usage: { answerTokens: 7 } },
    ]);
  });

  it('is over with its last record, though the connection stays open', async () => {
    const events = await play(say('Hi'), done(), holdUntil(never));
    expect(events.at(-1)).toMatchObject({ type: 'end' });
    await server.chats[0]!.closed;
  });

  it.each([
    ['each byte alone', framed({ split: 'byte' })],
    ['three bytes at a time', framed({ split: { bytes: 3 } })],
    ['all records at once', framed({ split: { records: 50 } })],
    ['a carriage return in each line', framed({ lineEnd: '\r\n' })],
    ['no end of the last line', framed({ finalNewline: false })],
  ])('is whole with %s', async (_, framing) => {
    const events = await play(framing, say('ь', '語', '👋 a', '\u2028b'), done({ eval_count: 4 }));
    expect(textOf(events)).toBe('ь語👋 a\u2028b');
    expect(events.at(-1)).toMatchObject({ type: 'end', usage: { answerTokens: 4 } });
  });

  it('skips blank lines and what is no record', async () => {
    const events = await play(
      say('a'),
      blankLine(),
      garbageLine(),
      raw('null\n7\n[]\n"text"\n'),
      message('b'),
      record({ message: 'odd' }),
      record({}),
    );
    expect(textOf(events)).toBe('ab');
  });

  it('may hold a record of two megabytes', async () => {
    const content = 'x'.repeat(2_000_000);
    const events = await play(callTool('write_file', { content }));
    expect(callsOf(events)).toMatchObject([{ arguments: { content } }]);
  });

  it('joins a character whose halves come in two records', async () => {
    const events = await play(
      raw('{"message":{"content":"a\\ud83d"}}\n'),
      raw('{"message":{"content":"\\udc4b"}}\n'),
      raw('{"message":{"content":"b\\udc4bc\\ud83d"}}\n'),
    );
    expect(textOf(events)).toBe('a👋b\uFFFDc\uFFFD');
    expect(events[0]).toEqual({ type: 'text', text: 'a' });
  });

  it('tells leaked thinking from the answer', async () => {
    const events = await play(say('<th', 'ink>let me', ' see</thi', 'nk>\n\nIt is <think>.'));
    expect(textOf(events, 'thinking')).toBe('let me see');
    expect(textOf(events)).toBe('It is <think>.');
  });
});

describe('a tool call', () => {
  const call = { id: 'call_a1', name: 'read_file', arguments: { path: 'a.ts' } };

  it.each(['record', 'done'] as const)('is read from the %s', async (where) => {
    const events = await play(say('Reading.'), callTool('read_file', { path: 'a.ts' }, { id: 'call_a1', where }));
    expect(events.slice(0, 2)).toEqual([
      { type: 'text', text: 'Reading.' },
      { type: 'tool_call', call },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' });
  });

  it('comes with others, in their order, whatever their ids', async () => {
    const events = await play(
      callTools([
        { name: 'a', arguments: {}, id: 'same', index: 0 },
        { name: 'b', arguments: {}, id: 'same', index: 0 },
      ]),
      callTool('c', {}, { id: 'same' }),
      say('and on'),
    );
    expect(callsOf(events)).toEqual(['a', 'b', 'c'].map((name) => ({ id: 'same', name, arguments: {} })));
  });

  it('gets an id where it has none', async () => {
    server.version = '0.11.0';
    const calls = callsOf(await play(callTool('a'), callTool('b'))) as { id: string }[];
    expect(calls.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^call_\w{8}$/),
      expect.stringMatching(/^call_\w{8}$/),
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it('survives what proxies make of its arguments', async () => {
    const events = await play(
      callTool('a', '{"path":"a.ts"}'),
      callTool('b', JSON.stringify('{"path":"b.ts"}')),
      callTool('c', null),
      callTool('d', ''),
      callTool('e', '{"path": "e'),
      callTool('f', ['f.ts']),
    );
    expect(callsOf(events)).toMatchObject([
      { name: 'a', arguments: { path: 'a.ts' } },
      { name: 'b', arguments: { path: 'b.ts' } },
      { name: 'c', arguments: {} },
      { name: 'd', arguments: {} },
      { name: 'e', arguments: {}, malformed: '{"path": "e' },
      { name: 'f', arguments: {}, malformed: '["f.ts"]' },
    ]);
  });

  it('without a function has no name', async () => {
    const events = await play(raw('{"message":{"content":"","tool_calls":[{},null,{"function":{"name":7}}]}}\n'));
    expect(callsOf(events)).toMatchObject([{ name: '' }, { name: '' }, { name: '' }]);
  });
});

describe('a request', () => {
  it('carries the history as the server wants it', async () => {
    server.script(say('ok'));
    await collect({
      model: 'qwen3',
      think: true,
      keepAlive: '10m',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'lone \ud83d half' },
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
    expect(server.chats[0]!.body).toEqual({
      model: 'qwen3',
      stream: true,
      think: true,
      keep_alive: '10m',
      options: { num_ctx: 8192 },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'lone \uFFFD half' },
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
    server.script(say('ok'));
    await collect({ keepAlive: ' 300 ' });
    expect(Object.keys(server.chats[0]!.body as object).sort()).toEqual([
      'keep_alive',
      'messages',
      'model',
      'options',
      'stream',
    ]);
    expect(server.chats[0]!.chat.keep_alive).toBe(300);
  });

  it('does not leave before it is read', async () => {
    client.chat(request, unaborted);
    await client.listModels(unaborted);
    expect(server.chats).toEqual([]);
  });
});

describe('a failed request', () => {
  it('keeps what came before an error in the stream', async () => {
    const events = await play(say('The ans'), failWith('an error was encountered'));
    expect(events).toEqual([
      { type: 'text', text: 'The ans' },
      { type: 'failed', failure: { reason: 'server_error', detail: 'an error was encountered' } },
    ]);
  });

  it('is told even when the error is no text', async () => {
    const events = await play(say('a'), raw('{"error":{"code":7}}\n'));
    expect(failureIn(events)).toEqual({ reason: 'server_error', detail: '{"code":7}' });
  });

  it('is cut off when the stream ends without being done', async () => {
    const events = await play(say('The ans'), cutOff());
    expect(textOf(events)).toBe('The ans');
    expect(failureIn(events).reason).toBe('cut_off');
  });

  it.each([
    ['before the headers', [resetConnection()], ''],
    ['after the headers', [headersOnly(), resetConnection()], ''],
    ['between two records', [...say('one'), { wait: 30 }, resetConnection()], 'one'],
    ['within a record', [...say('one'), raw('{"message":{"content":"tw'), { wait: 30 }, resetConnection()], 'one'],
  ] as const)('is cut off by a reset %s', async (_, steps, text) => {
    const events = await play(...steps);
    expect(textOf(events)).toBe(text);
    expect(failureIn(events).reason).toBe('cut_off');
  });

  it('counts as ended when the reset follows the last record', async () => {
    expect((await play(say('one'), done(), { wait: 30 }, resetConnection())).at(-1)).toMatchObject({ type: 'end' });
  });

  it('names a model that is not there in the words of the server', async () => {
    expect(failureIn(await collect({ model: 'nope' }))).toEqual({
      reason: 'model_not_found',
      status: 404,
      detail: "model 'nope' not found",
    });
  });

  it.each([
    ['does not support tools', failWith('registry.ollama.ai/library/x does not support tools', { status: 400 }), 400],
    ['busy', failWith('server busy, please try again.', { status: 503 }), 503],
    ['stopped', failWith('model runner has unexpectedly stopped', { status: 500 }), 500],
    [
      'unauthorized',
      failWith('unauthorized', { status: 401, extra: { signin_url: 'https://ollama.com/connect?x' } }),
      401,
    ],
    [
      'https://ollama.com/connect',
      failWith('unauthorized', { status: 401, extra: { signin_url: 'https://ollama.com/connect' } }),
      401,
    ],
    ['HTTP 403 Forbidden', replyWith(403, ''), 403],
    ['HTTP 502 Bad Gateway: a web page', replyWith(502, '<html>nginx</html>'), 502],
    ['a web page', replyWith(200, '<html>Sign in</html>', 'text/html; charset=utf-8'), 200],
    ['HTTP 404 Not Found: 404 page not found', replyWith(404, '404 page not found', 'text/plain'), 404],
    ['HTTP 301', replyWith(301, ''), 301],
    ['request canceled', failWith('request canceled', { status: 499 }), 499],
    ['not json', replyWith(500, 'not json', 'application/json'), 500],
  ])('says “%s”', async (words, step, status) => {
    const failure = failureIn(await play(step));
    expect(failure).toMatchObject({ reason: 'server_error', status });
    expect(failure.detail).toContain(words);
  });

  it('reads no more than the beginning of a long refusal', async () => {
    const failure = failureIn(await play(replyWith(500, 'é'.repeat(3_000_000), 'text/plain')));
    expect(failure.detail.length).toBeLessThanOrEqual(4096);
  });

  it('does not wait for the end of a refusal', async () => {
    const { clock, expireAll } = handClock();
    const other = await listen((socket) => {
      socket.write('HTTP/1.1 500 Oh\r\nContent-Type: text/plain\r\n\r\nbeginning');
      setTimeout(expireAll, 50);
    });
    const failure = failureIn(await collect({}, unaborted, clientFor(other.url, clock)));
    expect(failure).toEqual({ reason: 'server_error', status: 500, detail: 'HTTP 500 Oh: beginning' });
    other.server.close();
  });

  it('is unreachable when nothing listens', async () => {
    await server.stop();
    const failure = failureIn(await collect());
    expect(failure.reason).toBe('unreachable');
    expect(failure.detail).toContain('ECONNREFUSED');
  });

  it('is unreachable when the host has no address', async () => {
    const failure = failureIn(await collect({}, unaborted, clientFor('http://nowhere.invalid:11434')));
    expect(failure.reason).toBe('unreachable');
  });

  it('says so when something else listens', async () => {
    const other = await listen((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const failure = failureIn(await collect({}, unaborted, clientFor(other.url)));
    expect(failure).toMatchObject({ reason: 'server_error', detail: expect.stringContaining('HTTP') as string });
    other.server.close();
  });
});

describe('Stop', () => {
  async function stopWhen(ready: () => Promise<unknown>): Promise<{ events: ModelEvent[]; took: number }> {
    const controller = new AbortController();
    const collected = collect({}, controller.signal);
    await ready();
    const stoppedAt = performance.timeOrigin + performance.now();
    controller.abort();
    const events = await collected;
    const [chat] = server.chats;
    await chat!.closed;
    return { events, took: chat!.closedByClientAt! - stoppedAt };
  }

  it('closes the connection before the headers', async () => {
    server.script(holdUntil(never));
    const { events, took } = await stopWhen(() => server.nextChat());
    expect(events).toEqual([{ type: 'aborted' }]);
    expect(took).toBeLessThan(500);
  });

  it('closes the connection between headers and first record', async () => {
    server.script(headersOnly(), holdUntil(never));
    const { events, took } = await stopWhen(async () => (await server.nextChat()).headersSent);
    expect(events).toEqual([{ type: 'aborted' }]);
    expect(took).toBeLessThan(500);
  });

  it('closes the connection in the middle of the stream and yields nothing more', async () => {
    server.script(say('one'), holdUntil(never));
    const { events, took } = await stopWhen(async () => {
      await (
        await server.nextChat()
      ).headersSent;
      await new Promise((resolve) => setTimeout(resolve, 30));
    });
    expect(events).toEqual([{ type: 'text', text: 'one' }, { type: 'aborted' }]);
    expect(took).toBeLessThan(500);
  });

  it('closes the connection while the reader is busy with something else', async () => {
    server.script(say('one', 'two', 'three'), holdUntil(never));
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of client.chat(request, controller.signal)) {
      events.push(event);
      if (event.type === 'text') {
        controller.abort();
        await server.chats[0]!.closed;
      }
    }
    expect(events).toEqual([{ type: 'text', text: 'one' }, { type: 'aborted' }]);
  });

  it('before the start sends nothing', async () => {
    const events = await collect({}, AbortSignal.abort());
    expect(events).toEqual([{ type: 'aborted' }]);
    expect(server.requests).toEqual([]);
  });

  it('while connecting ends at once', async () => {
    // Not answered at all: 192.0.2.0/24 is kept for examples.
    const controller = new AbortController();
    const collected = collect({}, controller.signal, clientFor('http://192.0.2.1:11434'));
    setTimeout(() => controller.abort(), 50);
    const events = await collected;
    expect(['aborted', 'failed']).toContain(events.at(-1)!.type);
  });

  it('is not needed when the reader leaves: the connection closes all the same', async () => {
    server.script(say('one'), holdUntil(never));
    for await (const event of client.chat(request, unaborted)) {
      expect(event).toEqual({ type: 'text', text: 'one' });
      break;
    }
    await server.chats[0]!.closed;
  });

  it('leaves no listener behind on the signal', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    server.script(say('one'));
    await collect({}, signal);
    const listeners = added.mock.calls.map(([, listener]) => listener);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(expect.arrayContaining(listeners));
  });

  it('of one request leaves the others alone', async () => {
    server.script(holdUntil(never));
    server.script(say('here'));
    const controller = new AbortController();
    const first = collect({}, controller.signal);
    await server.nextChat();
    const second = collect();
    controller.abort();
    expect((await first).at(-1)).toEqual({ type: 'aborted' });
    expect(textOf(await second)).toBe('here');
  });
});

describe('questions about the server', () => {
  it('lists its models with what is known of them', async () => {
    server.models.add({ name: 'far:cloud', remoteHost: 'https://ollama.com:443', modifiedAt: '2026-09-01T10:00:00Z' });
    expect(await client.listModels(unaborted)).toEqual({
      ok: true,
      value: {
        version: '0.32.15',
        models: [
          { name: 'far:cloud', size: 382, parameterSize: '3.2B', remoteHost: 'https://ollama.com:443' },
          { name: 'llama3.2:latest', size: 2_019_393_189, parameterSize: '3.2B' },
          { name: 'qwen3:latest', size: 2_019_393_189, parameterSize: '3.2B' },
        ],
      },
    });
  });

  it('does without the version', async () => {
    server.disturb('/api/version', replyWith(404, '404 page not found', 'text/plain'));
    expect(await client.listModels(unaborted)).toMatchObject({ ok: true, value: { version: '' } });
  });

  it('describes a model', async () => {
    expect(await client.describe('qwen3', unaborted)).toEqual({
      ok: true,
      value: { tools: true, thinking: true, vision: false, trainedContext: 131_072 },
    });
  });

  it('does not know the abilities that an old server does not name', async () => {
    server.version = '0.6.0';
    expect(await client.describe('qwen3', unaborted)).toEqual({ ok: true, value: { trainedContext: 131_072 } });
  });

  it('knows when a model is not there', async () => {
    expect(await client.describe('nope', unaborted)).toMatchObject({
      ok: false,
      failure: { reason: 'model_not_found' },
    });
  });

  it('notices that something else answers', async () => {
    server.disturb('/api/tags', replyWith(200, '{"hello":1}', 'application/json'));
    expect(await client.listModels(unaborted)).toMatchObject({ ok: false, failure: { reason: 'server_error' } });
    server.disturb('/api/tags', replyWith(200, 'hello', 'text/plain'));
    expect(await client.listModels(unaborted)).toMatchObject({ ok: false, failure: { reason: 'server_error' } });
  });

  it('is unreachable when nothing listens', async () => {
    await server.stop();
    expect(await client.listModels(unaborted)).toMatchObject({ ok: false, failure: { reason: 'unreachable' } });
  });

  it('gives up in the end', async () => {
    const { clock, expireAll, waiting } = handClock();
    server.disturb('/api/tags', holdUntil(never));
    const answer = clientFor(server.url, clock).listModels(unaborted);
    const asked = await server.nextRequest(({ path }) => path === '/api/tags');
    expireAll();
    expect(await answer).toMatchObject({ ok: false, failure: { reason: 'unreachable' } });
    await asked.closed;
    expect(waiting()).toBe(0);
  });

  it('stops at once', async () => {
    server.disturb('/api/show', holdUntil(never));
    const controller = new AbortController();
    const answer = client.describe('qwen3', controller.signal);
    const asked = await server.nextRequest();
    controller.abort();
    expect(await answer).toEqual({ ok: false, failure: { reason: 'aborted', detail: '' } });
    await asked.closed;
  });
});

/** A clock on which nothing expires before it is told to. */
function handClock(): { clock: Clock; expireAll: () => void; waiting: () => number } {
  const timers = new Set<() => void>();
  const after: Clock['after'] = (_, then) => {
    timers.add(then);
    return () => timers.delete(then);
  };
  const expireAll = (): void => {
    for (const then of timers) then();
  };
  return { clock: { now: () => 0, after }, expireAll, waiting: () => timers.size };
}

async function listen(onConnection: Parameters<typeof createServer>[1]): Promise<{ server: Server; url: string }> {
  const other = createServer(onConnection);
  // The client hangs up on what it cannot read: as a reset, that is an error of a connection nobody else looks after.
  other.on('connection', (socket) => socket.on('error', () => socket.destroy()));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  return { server: other, url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` };
}
