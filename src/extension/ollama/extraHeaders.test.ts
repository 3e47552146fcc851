import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { say } from '../../../test/support/ollama/chatStep';
import { failureIn, unaborted, useClientBench } from '../../../test/support/ollama/clientBench';
import { ManualClock } from '../../../test/support/manualClock';
import { silentLog, type Log } from '../base/log';
import type { ExtraHeaders } from './extraHeaders';
import { OllamaClient } from './ollamaClient';

const bench = useClientBench();

/** The server at an address that does not look like this machine, though it is. */
function elsewhere(): string {
  return bench.server.url.replace('127.0.0.1', '0.0.0.0');
}

function remote(headers: ExtraHeaders): OllamaClient {
  return bench.clientFor(new ManualClock(), { headers }, elsewhere());
}

describe('extra headers', () => {
  it('go with every request to another machine, read anew each time', async () => {
    let count = 0;
    const client = remote(() => Promise.resolve({ Authorization: `Bearer ${++count}`, 'X-Team': 'blue' }));
    bench.server.script(say('Hi'));
    bench.server.offer({ model: 'new' });
    await bench.collect({}, unaborted, client);
    await client.listModels(unaborted);
    await client.describe('qwen3', unaborted);
    await client.listLoaded(unaborted);
    await client.load({ model: 'qwen3', contextLength: 8192 }, unaborted);
    await client.unload('qwen3', unaborted);
    for await (const _ of client.pull('new', unaborted));
    const sent = bench.server.requests.map(({ headers }) => headers);
    expect(sent).toHaveLength(8);
    expect(new Set(sent.map(({ authorization }) => authorization)).size).toBe(8);
    expect(sent.every((headers) => headers['x-team'] === 'blue' && headers['connection'] === 'close')).toBe(true);
  });

  it('never go to this machine', async () => {
    let asked = 0;
    const headers: ExtraHeaders = () => {
      asked += 1;
      return Promise.resolve({ Authorization: 'Bearer secret' });
    };
    const client = bench.clientFor(new ManualClock(), { headers });
    await client.listModels(unaborted);
    expect(bench.server.requests.map((request) => request.headers.authorization)).toEqual([undefined, undefined]);
    expect(asked).toBe(0);
  });

  it('go nowhere else, whatever the server says', async () => {
    const seen: string[] = [];
    const location = `${elsewhere()}/api/tags`;
    const gate = createServer((request, response) => {
      seen.push(request.headers.authorization ?? '');
      response.writeHead(307, { location }).end();
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const url = `http://0.0.0.0:${(gate.address() as AddressInfo).port}`;
    const headers: ExtraHeaders = () => Promise.resolve({ Authorization: 'Bearer secret' });
    const client = bench.clientFor(new ManualClock(), { headers }, url);
    expect(await client.listLoaded(unaborted)).toMatchObject({ ok: false, failure: { status: 307 } });
    expect(seen).toEqual(['Bearer secret']);
    expect(bench.server.requests).toEqual([]);
    gate.close();
  });

  it.each([
    ['a name that is none', { 'X Team': 'secret' }, '“X Team” cannot be the name of a header.'],
    ['an empty name', { '': 'secret' }, '“” cannot be the name of a header.'],
    [
      'a value over two lines',
      { 'X-Team': 'secret\r\nHost: evil' },
      'The value of the header “X-Team” cannot be sent.',
    ],
    ['a value beyond Latin', { 'X-Team': 'секрет' }, 'The value of the header “X-Team” cannot be sent.'],
    ['one that belongs to the connection', { 'Content-Length': '1' }, 'The header “Content-Length” cannot be set.'],
  ])('with %s are a failure that names the header, not its value', async (_, headers, detail) => {
    const lines: string[] = [];
    const log: Log = { ...silentLog, warn: (line) => lines.push(line), error: (line) => lines.push(line) };
    const options = { headers: () => Promise.resolve(headers as Record<string, string>) };
    const client = new OllamaClient(elsewhere(), new ManualClock(), log, options);
    const failure = failureIn(await bench.collect({}, unaborted, client));
    expect(failure).toEqual({ reason: 'bad_request', detail });
    expect(await client.listModels(unaborted)).toEqual({ ok: false, failure });
    expect(bench.server.requests).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('that cannot be read are a failure that does not quote the reason', async () => {
    const client = remote(() => Promise.reject(new Error('keyring: Bearer secret')));
    expect(failureIn(await bench.collect({}, unaborted, client))).toEqual({
      reason: 'bad_request',
      detail: 'The extra headers for this server could not be read.',
    });
  });

  it('that never come do not hold up Stop', async () => {
    const controller = new AbortController();
    const client = remote(() => new Promise(() => undefined));
    const events = bench.collect({}, controller.signal, client);
    setImmediate(() => controller.abort());
    expect(await events).toEqual([{ type: 'aborted' }]);
    expect(bench.server.requests).toEqual([]);
  });
});
