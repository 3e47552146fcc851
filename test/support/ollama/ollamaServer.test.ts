import { afterEach, describe, expect, it } from 'vitest';
import { holdUntil, replyWith, resetConnection, say, wait } from './chatStep';
import { Gate } from './gate';
import { OllamaServer } from './ollamaServer';
import type { OllamaServerOptions } from './ollamaServer';
import { rawChat, rawRequest } from './rawClient';
import type { RawReply } from './rawClient';

let server: OllamaServer;

async function start(options: OllamaServerOptions = {}): Promise<void> {
  server = await OllamaServer.start({ models: ['llama3.2'], ...options });
}

function json(reply: RawReply): unknown {
  return JSON.parse(reply.text);
}

function get(path: string): Promise<RawReply> {
  return rawRequest(server.url + path);
}

afterEach(() => server.close());

describe('the routes', () => {
  it('says that it runs, and its version', async () => {
    await start();
    expect(await get('/')).toMatchObject({ status: 200, text: 'Ollama is running' });
    expect(await rawRequest(server.url, 'HEAD')).toMatchObject({ status: 200, text: '' });
    expect((await get('/api/version')).text).toBe('{"version":"0.32.15"}');
  });

  it('knows no other route and no other method', async () => {
    await start();
    expect(await get('/api/nothing')).toMatchObject({
      status: 404,
      contentType: 'text/plain',
      text: '404 page not found',
    });
    expect(await get('/api/chat')).toMatchObject({ status: 405, contentType: 'text/plain' });
  });

  it('lists models, the newest first, with full names', async () => {
    await start({
      models: [
        { name: 'old', modifiedAt: '2025-01-01T00:00:00Z' },
        { name: 'new:7b', modifiedAt: '2026-01-01T00:00:00Z' },
        { name: 'far:cloud', modifiedAt: '2024-01-01T00:00:00Z', remoteHost: 'https://ollama.com:443' },
      ],
    });
    expect(json(await get('/api/tags'))).toMatchObject({
      models: [
        { name: 'new:7b', model: 'new:7b', capabilities: ['completion', 'tools'] },
        { name: 'old:latest' },
        { name: 'far:cloud', remote_host: 'https://ollama.com:443', remote_model: 'far', size: 382 },
      ],
    });
    server.models.remove('old');
    server.models.remove('new:7b');
    server.models.remove('far:cloud');
    expect((await get('/api/tags')).text).toBe('{"models":[]}');
  });

  it('shows a model', async () => {
    await start({ models: [{ name: 'qwen3', family: 'qwen3', contextLength: 40_960, numCtx: 8192 }] });
    expect(json(await rawRequest(`${server.url}/api/show`, 'POST', { model: 'qwen3' }))).toMatchObject({
      capabilities: ['completion', 'tools'],
      parameters: 'num_ctx                        8192',
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
    });
    expect(await rawRequest(`${server.url}/api/show`, 'POST', { model: 'x' })).toMatchObject({
      status: 404,
      text: `{"error":"model 'x' not found"}`,
    });
    expect(await rawRequest(`${server.url}/api/show`, 'POST', {})).toMatchObject({
      status: 400,
      text: '{"error":"model is required"}',
    });
  });

  it('leaves out what older servers do not send', async () => {
    await start({ version: '0.6.2' });
    server.script({ toolCalls: [{ name: 'list_files', arguments: {} }] });
    expect((await get('/api/tags')).text).not.toContain('capabilities');
    expect((await rawRequest(`${server.url}/api/show`, 'POST', { model: 'llama3.2' })).text).not.toContain(
      'capabilities',
    );
    expect((await rawChat(server.url)).text).toContain('"tool_calls":[{"function":{"index":0');
    expect((await get('/api/ps')).text).not.toContain('context_length');
  });
});

describe('the memory', () => {
  it('loads a model with the window that a chat asks for, never more than it was trained for', async () => {
    await start({ models: [{ name: 'small', contextLength: 8192 }], now: () => new Date('2026-08-21T18:00:00Z') });
    server.script(say('a'));
    expect((await get('/api/ps')).text).toBe('{"models":[]}');
    await rawChat(server.url, { model: 'small', options: { num_ctx: 32_768 } });
    expect(json(await get('/api/ps'))).toMatchObject({
      models: [{ name: 'small:latest', context_length: 8192, expires_at: '2026-08-21T18:05:00.000Z' }],
    });
  });

  it('reports a load once, and again for another window', async () => {
    await start({ fallback: () => say('a') });
    const loadTime = async (fields: Parameters<typeof rawChat>[1]): Promise<string | undefined> =>
      /"load_duration":(\d+)/.exec((await rawChat(server.url, fields)).text)?.[1];
    expect(await loadTime({})).toBe('1500000000');
    expect(await loadTime({})).toBe('50000000');
    expect(await loadTime({ options: { num_ctx: 8192 } })).toBe('1500000000');
  });

  it('shows a model while it answers, and forgets it afterwards with keep_alive 0', async () => {
    await start();
    const release = new Gate();
    server.script(holdUntil(release.opened), say('a'));
    const reply = rawChat(server.url, { keep_alive: 0 });
    await server.nextChat();
    expect((await get('/api/ps')).text).toContain('llama3.2:latest');
    release.open();
    await reply;
    expect((await get('/api/ps')).text).toBe('{"models":[]}');
  });

  it('loads and unloads by empty messages', async () => {
    await start();
    expect((await rawChat(server.url, { messages: [], keep_alive: '10m' })).text).toContain('"done_reason":"load"');
    expect((await get('/api/ps')).text).toContain('llama3.2:latest');
    expect((await rawChat(server.url, { messages: [], keep_alive: 0 })).text).toContain('"done_reason":"unload"');
    expect((await get('/api/ps')).text).toBe('{"models":[]}');
  });
});

describe('the log', () => {
  it('keeps what was asked, parsed and as text', async () => {
    await start({ fallback: () => say('a') });
    await rawChat(server.url, { think: false });
    const request = await server.nextRequest();
    expect(request).toMatchObject({ method: 'POST', path: '/api/chat', body: { model: 'llama3.2', think: false } });
    expect(request.chat.messages[0]?.content).toBe('Hi');
    expect(request.startedAt).toBeLessThanOrEqual(request.headersSentAt ?? 0);
    expect(request.headersSentAt).toBeLessThanOrEqual(request.endedAt ?? 0);
    expect(request.closedByClientAt).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it('gives each request once, and waits for those to come', async () => {
    await start({ fallback: () => say('a') });
    await get('/api/tags');
    await rawChat(server.url);
    expect((await server.nextChat()).path).toBe('/api/chat');
    expect((await server.nextRequest()).path).toBe('/api/tags');
    const later = server.nextRequest((request) => request.path === '/api/ps');
    await get('/api/version');
    await get('/api/ps');
    expect((await later).path).toBe('/api/ps');
    expect((await server.nextRequest()).path).toBe('/api/version');
  });

  it('sends the headers only with the first record', async () => {
    await start();
    const loaded = new Gate();
    server.script(holdUntil(loaded.opened), say('a'));
    let status: number | undefined;
    const response = fetch(`${server.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ model: 'llama3.2', messages: [{ role: 'user', content: 'Hi' }] }),
    }).then((result) => {
      status = result.status;
      return result.text();
    });
    const request = await server.nextChat();
    // A whole exchange on another connection: time enough for headers, had there been any.
    await get('/api/version');
    expect(status).toBeUndefined();
    expect(request.headersSentAt).toBeUndefined();
    loaded.open();
    await response;
    expect(status).toBe(200);
  });

  it.each<[string, boolean]>([
    ['before the headers', false],
    ['in the stream', true],
  ])('notes a client that leaves %s', async (_when, isStreaming) => {
    await start();
    let wasFinished = false;
    server.script(async function* () {
      try {
        if (isStreaming) yield* say('a');
        yield holdUntil(new Promise(() => undefined));
      } finally {
        wasFinished = true;
      }
    });
    const controller = new AbortController();
    const response = fetch(`${server.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ model: 'llama3.2', messages: [{ role: 'user', content: 'Hi' }] }),
      signal: controller.signal,
    }).catch(() => undefined);
    const request = await server.nextChat();
    if (isStreaming) await response;
    controller.abort();
    await request.closed;
    expect(request.closedByClientAt).toBeGreaterThan(request.startedAt);
    expect(request.endedAt).toBeUndefined();
    await expect.poll(() => wasFinished).toBe(true);
  });
});

describe('scripts', () => {
  it('fails a chat for which there is none', async () => {
    await start();
    expect(await rawChat(server.url)).toMatchObject({
      status: 400,
      text: '{"error":"the test has queued no script for this chat"}',
    });
  });

  it('plays them in their order, those for a kind of chat only to that kind', async () => {
    await start();
    server.scriptFor((request) => request.messages[0]?.content === 'Title?', say('the title'));
    server.script(say('first'));
    server.script((request) => say(`second for ${request.model}`));
    expect((await rawChat(server.url)).text).toContain('first');
    expect((await rawChat(server.url, { messages: [{ role: 'user', content: 'Title?' }] })).text).toContain(
      'the title',
    );
    expect((await rawChat(server.url)).text).toContain('second for llama3.2');
  });

  it('counts tokens by length, and never more of the prompt than fit', async () => {
    await start({ fallback: () => say('12345678', '9') });
    const messages = [{ role: 'user', content: 'x'.repeat(40_000) }];
    expect((await rawChat(server.url, { messages })).text).toMatch(/"prompt_eval_count":4096,.*"eval_count":3/);
  });

  it('disturbs any route once', async () => {
    await start();
    server.disturb('/api/tags', replyWith(504, 'too slow'));
    server.disturb('/api/tags', resetConnection());
    const release = new Gate();
    server.disturb('/api/tags', wait(1), holdUntil(release.opened));
    expect(await get('/api/tags')).toMatchObject({ status: 504, text: 'too slow' });
    expect((await get('/api/tags')).ending).toBe('ECONNRESET');
    const third = get('/api/tags');
    await get('/api/version');
    release.open();
    expect((await third).text).toContain('llama3.2:latest');
  });
});

describe('the queue', () => {
  it('gives a second chat its headers only after the end of the first', async () => {
    await start({ parallel: 1 });
    const release = new Gate();
    server.script(say('a'), holdUntil(release.opened));
    server.script(say('b'));
    const first = rawChat(server.url);
    const firstRequest = await server.nextChat();
    await firstRequest.headersSent;
    const second = rawChat(server.url);
    const secondRequest = await server.nextChat();
    await get('/api/version');
    expect(secondRequest.headersSentAt).toBeUndefined();
    release.open();
    await Promise.all([first, second]);
    expect(secondRequest.headersSentAt).toBeGreaterThanOrEqual(firstRequest.endedAt ?? Number.POSITIVE_INFINITY);
  });

  it('lets a client leave while it waits, and refuses one too many', async () => {
    await start({ parallel: 1, maxQueue: 1, fallback: () => say('free again') });
    const release = new Gate();
    server.script(holdUntil(release.opened), say('a'));
    const first = rawChat(server.url);
    await server.nextChat();
    const controller = new AbortController();
    const body = JSON.stringify({ model: 'llama3.2', messages: [{ role: 'user', content: 'Hi' }] });
    void fetch(`${server.url}/api/chat`, { method: 'POST', body, signal: controller.signal }).catch(() => undefined);
    const waiting = await server.nextChat();
    expect(await rawChat(server.url)).toMatchObject({
      status: 503,
      text: '{"error":"server busy, please try again.  maximum pending requests exceeded"}',
    });
    controller.abort();
    await waiting.closed;
    release.open();
    await first;
    expect((await rawChat(server.url)).text).toContain('free again');
  });
});

describe('its life', () => {
  it('stops with all its connections and starts again on the same port', async () => {
    await start({ fallback: () => [...say('a'), holdUntil(new Promise(() => undefined))] });
    const reply = rawChat(server.url);
    const request = await server.nextChat();
    await request.headersSent;
    const { url } = server;
    await server.stop();
    expect((await reply).ending).toBe('ECONNRESET');
    expect(request.closedByClientAt).toBeUndefined();
    expect((await get('/api/version')).ending).toBe('ECONNREFUSED');
    await server.startAgain();
    expect(server.url).toBe(url);
    expect((await get('/api/tags')).text).toContain('llama3.2:latest');
    expect((await get('/api/ps')).text).toBe('{"models":[]}');
  });

  it('can be closed twice', async () => {
    await start();
    await server.close();
    await server.close();
  });
});
