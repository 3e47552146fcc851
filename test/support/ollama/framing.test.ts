import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bareDone,
  blankLine,
  callTool,
  callTools,
  cutOff,
  done,
  framed,
  garbageLine,
  headersOnly,
  holdUntil,
  raw,
  record,
  replyWith,
  resetConnection,
  say,
} from './chatStep';
import type { ChatStep } from './chatStep';
import { Gate } from './gate';
import { OllamaServer } from './ollamaServer';
import { rawChat } from './rawClient';
import type { RawReply } from './rawClient';

let server: OllamaServer;

beforeEach(async () => {
  server = await OllamaServer.start({ models: ['llama3.2'], now: () => new Date('2026-08-21T18:00:00Z') });
});

afterEach(() => server.close());

function chat(...steps: readonly (ChatStep | readonly ChatStep[])[]): Promise<RawReply> {
  server.script(...steps);
  return rawChat(server.url);
}

function contents(reply: RawReply): string[] {
  return reply.text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => (JSON.parse(line) as { message: { content: string } }).message.content);
}

describe('how records are cut', () => {
  it('sends every record in a write of its own', async () => {
    const reply = await chat(say('a', 'b'));
    expect(reply.chunks).toHaveLength(3);
  });

  it('sends every byte by itself, also inside a character', async () => {
    const reply = await chat(framed({ split: 'byte' }), say('ь語👋'));
    expect(reply.chunks.every((chunk) => chunk.length === 1)).toBe(true);
    expect(contents(reply)).toEqual(['ь語👋', '']);
    expect(reply.text).toContain('ь語👋');
  });

  it('sends a record in writes of a size', async () => {
    const reply = await chat(framed({ split: { bytes: 50 } }), say('a'));
    expect(reply.chunks[0]).toHaveLength(50);
    expect(contents(reply)).toEqual(['a', '']);
  });

  it('merges records into one write, and keeps none back at the end', async () => {
    const reply = await chat(framed({ split: { records: 2 } }), say('a', 'b', 'c', 'd'));
    expect(reply.chunks).toHaveLength(3);
    expect(contents(reply)).toEqual(['a', 'b', 'c', 'd', '']);
  });

  it('sends what it holds back before it waits', async () => {
    const release = new Gate();
    server.script(framed({ split: { records: 5 } }), say('a'), holdUntil(release.opened), say('b'));
    const reply = rawChat(server.url);
    await (
      await server.nextChat()
    ).headersSent;
    release.open();
    expect((await reply).chunks).toHaveLength(2);
  });

  it('leaves out the last newline', async () => {
    const reply = await chat(framed({ finalNewline: false }), say('a'));
    expect(reply.text.endsWith('}')).toBe(true);
    expect(contents(reply)).toEqual(['a', '']);
  });

  it('ends lines with CRLF', async () => {
    const reply = await chat(framed({ lineEnd: '\r\n' }), say('a'));
    expect(reply.text.split('\r\n')).toHaveLength(3);
  });

  it('sends a record of more than 1 MiB whole', async () => {
    const text = 'x'.repeat(1_100_000);
    const reply = await chat(callTool('write_file', { path: 'a.txt', content: text }));
    expect(reply.text).toContain(text);
  });
});

describe('what else is in the stream', () => {
  it('sends an empty line and a line of garbage', async () => {
    const reply = await chat(say('a'), blankLine(), garbageLine(), say('b'));
    expect(reply.text.split('\n')[1]).toBe('');
    expect(reply.text.split('\n')[2]).toBe('{"model": tru');
  });

  it('sends a record as it is, with unknown keys', async () => {
    const reply = await chat(record({ model: 'llama3.2', done: true, done_reason: 'new', extra: [1] }));
    expect(reply.text).toBe('{"model":"llama3.2","done":true,"done_reason":"new","extra":[1]}\n');
  });

  it('calls several tools in one record', async () => {
    const reply = await chat(
      callTools([
        { name: 'list_files', arguments: { path: '.' }, id: '' },
        { name: 'read_file', arguments: '{"path":"a"}', index: 0 },
      ]),
    );
    expect(reply.text).toContain(
      String.raw`"tool_calls":[{"function":{"index":0,"name":"list_files","arguments":{"path":"."}}},{"id":"call_00000001","function":{"index":0,"name":"read_file","arguments":"{\"path\":\"a\"}"}}]`,
    );
  });

  it('sends done without a reason and without metrics', async () => {
    const reply = await chat(bareDone());
    expect(reply.text).toBe(
      '{"model":"llama3.2","created_at":"2026-08-21T18:00:00.000Z","message":{"role":"assistant","content":""},"done":true}\n',
    );
  });

  it('can be silent after done', async () => {
    const release = new Gate();
    server.script(say('a'), done(), holdUntil(release.opened));
    const reply = rawChat(server.url);
    const request = await server.nextChat();
    await request.headersSent;
    expect(request.endedAt).toBeUndefined();
    release.open();
    expect((await reply).ending).toBe('end');
  });

  it('replies as a proxy would', async () => {
    expect(await chat(replyWith(502, '<h1>Bad gateway</h1>'))).toMatchObject({
      status: 502,
      contentType: 'text/html',
      text: '<h1>Bad gateway</h1>',
    });
  });
});

describe('how a stream breaks off', () => {
  it('ends without a done record', async () => {
    const reply = await chat(say('a'), cutOff());
    expect(reply.ending).toBe('end');
    expect(contents(reply)).toEqual(['a']);
  });

  it('ends with a reason but without done', async () => {
    const reply = await chat(record({ message: { content: 'a' }, done_reason: 'stop' }), cutOff());
    expect(reply.text).toBe('{"message":{"content":"a"},"done_reason":"stop"}\n');
  });

  it('ends without any record', async () => {
    expect(await chat(cutOff())).toMatchObject({ status: 200, text: '', ending: 'end' });
  });

  it.each<[string, ChatStep[], number | undefined, string]>([
    ['before the headers', [], undefined, ''],
    ['after the headers', [headersOnly()], 200, ''],
    ['inside a record', [raw('{"model":"llama3.2","mess')], 200, '{"model":"llama3.2","mess'],
    ['after the last record', [record({ done: true })], 200, '{"done":true}\n'],
  ])('is reset %s', async (_when, steps, status, text) => {
    const arrived = new Gate();
    server.script(...steps, holdUntil(arrived.opened), resetConnection());
    const reply = rawChat(server.url);
    const request = await server.nextChat();
    if (status !== undefined) await request.headersSent;
    arrived.open();
    expect(await reply).toMatchObject({ status, text, ending: 'ECONNRESET' });
    expect(request.closedByClientAt).toBeUndefined();
  });
});

describe('stream: false', () => {
  it('merges everything into one object without a newline', async () => {
    server.script(say('a', 'b'), callTool('list_files'), callTool('read_file', { path: 'a' }, { where: 'done' }));
    const reply = await rawChat(server.url, { stream: false });
    expect(reply).toMatchObject({ status: 200, contentType: 'application/json; charset=utf-8' });
    expect(reply.text.endsWith('}')).toBe(true);
    expect(JSON.parse(reply.text)).toMatchObject({
      done: true,
      message: {
        content: 'ab',
        tool_calls: [
          { id: 'call_00000001', function: { index: 0, name: 'list_files', arguments: {} } },
          { id: 'call_00000002', function: { index: 1, name: 'read_file', arguments: { path: 'a' } } },
        ],
      },
    });
  });

  it('turns an error in the middle into a status', async () => {
    server.script(say('a'), { error: 'out of memory' });
    expect(await rawChat(server.url, { stream: false })).toMatchObject({
      status: 500,
      text: '{"error":"out of memory"}',
    });
  });
});
