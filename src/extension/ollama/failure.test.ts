import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { failWith, raw, replyWith, resetConnection, say } from '../../../test/support/ollama/chatStep';
import { failureIn, textOf, unaborted, useClientBench } from '../../../test/support/ollama/clientBench';
import { ManualClock } from '../../../test/support/manualClock';
import type { ServerFault } from '../../protocol/message';
import type { ModelFailure } from './modelClient';
import { isPassing } from './passing';

const bench = useClientBench();

async function failureFrom(url: string, clock = new ManualClock()): Promise<ModelFailure> {
  return failureIn(await bench.collect({}, unaborted, bench.clientFor(clock, {}, url)));
}

async function listen(onConnection: Parameters<typeof createServer>[1]): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => {
    // The client hangs up on what it cannot read: as a reset, that is an error of a connection nobody else looks after.
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a failed request', () => {
  it('is told even when the error is no text', async () => {
    const events = await bench.play(say('a'), raw('{"error":{"code":7}}\n'));
    expect(textOf(events)).toBe('a');
    expect(failureIn(events)).toEqual({ reason: 'server_error', detail: '{"code":7}' });
  });

  it('names a model that was removed, in the server’s words', async () => {
    bench.server.models.remove('llama3.2');
    expect(failureIn(await bench.collect())).toEqual({
      reason: 'model_not_found',
      status: 404,
      detail: "model 'llama3.2' not found",
    });
    const older = 'model "llama3.2" not found, try pulling it first';
    bench.server.disturb('/api/chat', failWith(older, { status: 404 }));
    expect(failureIn(await bench.collect())).toMatchObject({ reason: 'model_not_found', detail: older });
  });

  it('reads no more than the beginning of a long refusal', async () => {
    const failure = failureIn(await bench.play(replyWith(404, 'é'.repeat(3_000_000), 'text/plain')));
    expect(failure.detail.length).toBeLessThanOrEqual(4_096);
  });

  it('does not wait for the end of a refusal', async () => {
    const clock = new ManualClock();
    const other = await listen((socket) => {
      socket.write('HTTP/1.1 500 Oh\r\nContent-Type: text/plain\r\n\r\nbeginning');
    });
    const failure = failureFrom(other.url, clock);
    // One for a look at the server's memory, one for the words.
    await expect.poll(() => clock.pending).toBe(2);
    // A whole exchange on another connection: time enough for what was written at once.
    await bench.client.listLoaded(unaborted);
    clock.advance(60_000);
    expect(await failure).toEqual({ reason: 'server_error', status: 500, detail: 'HTTP 500 Oh: beginning' });
    other.server.close();
  });

  it('tells how long the server wants to be left alone', async () => {
    const other = await listen((socket) => {
      socket.end('HTTP/1.1 429 Slow\r\nContent-Type: application/json\r\nRetry-After: 7\r\n\r\n{"error":"slow down"}');
    });
    const failure = { reason: 'rate_limited', status: 429, detail: 'slow down', retryAfterMs: 7_000 };
    expect(await failureFrom(other.url)).toEqual(failure);
    other.server.close();
  });

  it('is unreachable when nothing listens', async () => {
    await bench.server.stop();
    const failure = failureIn(await bench.collect());
    expect(failure.reason).toBe('unreachable');
    expect(failure.detail).toContain('ECONNREFUSED');
  });

  it('is unreachable when the host has no address', async () => {
    expect((await failureFrom('http://nowhere.invalid:11434')).reason).toBe('unreachable');
  });

  it('says so when something else listens', async () => {
    const other = await listen((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const failure = await failureFrom(other.url);
    expect(failure).toMatchObject({ reason: 'server_error', detail: expect.stringContaining('HTTP') as string });
    other.server.close();
  });

  it('does not follow a redirect', async () => {
    const other = await listen((socket) => {
      socket.end(`HTTP/1.1 307 Moved\r\nLocation: ${bench.server.url}/api/chat\r\nContent-Length: 0\r\n\r\n`);
    });
    expect(await failureFrom(other.url)).toEqual({ reason: 'server_error', status: 307, detail: 'HTTP 307 Moved' });
    expect(bench.server.requests).toEqual([]);
    other.server.close();
  });
});

const overflowJson =
  '{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (4096 tokens)","type":"exceed_context_size_error"}}';

/** Each row of the protocol's table: status, words, what it means, and whether the next try may succeed. */
const refusals: readonly (readonly [status: number, words: string, reason: ServerFault, passing: boolean])[] = [
  [400, 'missing request body', 'bad_request', false],
  [400, 'json: cannot unmarshal array into Go struct field ChatRequest.messages.content', 'bad_request', false],
  [400, 'illegal base64 data at input byte 4', 'bad_request', false],
  [400, 'model is required', 'bad_request', false],
  [400, 'invalid model name', 'bad_request', false],
  [400, 'invalid think value: "lots" (must be "high", "medium", "low", true, or false)', 'no_thinking', false],
  [400, 'think value "low" is not supported for this model', 'no_thinking', false],
  [400, '"llama3.2" does not support thinking', 'no_thinking', false],
  [404, "model 'nope' not found", 'model_not_found', false],
  [400, 'registry.ollama.ai/library/gemma3:latest does not support tools', 'no_tools', false],
  [400, '"embed" does not support chat', 'no_chat', false],
  [400, 'the prompt is longer than the context length currently available to the model; …', 'overflow', false],
  [400, 'the input length exceeds the context length', 'overflow', false],
  [400, overflowJson, 'overflow', false],
  [401, 'unauthorized', 'sign_in', false],
  [403, 'ollama cloud is disabled: remote inference is unavailable', 'cloud_off', false],
  [429, 'too many requests', 'rate_limited', true],
  [502, 'dial tcp: lookup ollama.com: no such host', 'cloud_unreachable', true],
  [499, 'request canceled', 'server_error', false],
  [500, 'option "num_ctx" must be of type integer', 'bad_request', false],
  [500, 'llama-server process has terminated: signal: killed', 'runner_stopped', true],
  [500, 'timed out waiting for llama-server to start: model', 'load_failed', false],
  [500, 'model requires more system memory (9.1 GiB) than is available (4.0 GiB)', 'load_failed', false],
  [
    500,
    'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details',
    'runner_stopped',
    true,
  ],
  [500, 'an error was encountered while running the model: unexpected EOF', 'runner_stopped', true],
  [500, 'no user query found in messages', 'bad_request', false],
  [500, 'something new', 'server_error', false],
  [503, 'server busy, please try again.  maximum pending requests exceeded', 'busy', true],
  [500, "error parsing tool call: raw='{', err=invalid character '}'", 'model_fault', false],
  [500, 'failed to parse JSON: unexpected end of JSON input', 'model_fault', false],
  [500, 'empty function name', 'model_fault', false],
  [500, 'XML syntax error on line 3: unexpected EOF', 'model_fault', false],
  [500, 'incomplete GLM tool call: <arg_key>', 'model_fault', false],
  [
    500,
    'llama-server returned invalid tool call arguments for "x": unexpected end of JSON input',
    'model_fault',
    false,
  ],
];

describe('what a refusal means', () => {
  it.each(refusals)('%i “%s” is %s', async (status, words, reason, passing) => {
    const failure = failureIn(await bench.play(failWith(words, { status })));
    expect(failure).toMatchObject({ reason, status });
    expect(isPassing(failure)).toBe(passing);
  });

  it.each(refusals.filter(([status]) => status === 400 || status === 500).slice(-12))(
    '%i “%s” is %s in the stream, too',
    async (_, words, reason) => {
      const events = await bench.play(say('The ans'), failWith(words));
      expect(textOf(events)).toBe('The ans');
      expect(failureIn(events).reason).toBe(reason);
    },
  );

  it('is said in the words within the JSON of the program that runs the model', async () => {
    const { detail } = failureIn(await bench.play(failWith(overflowJson, { status: 400 })));
    expect(detail).toBe('request (9000 tokens) exceeds the available context size (4096 tokens)');
  });

  it.each([
    [301, '', 'text/html', 'server_error', false],
    [401, 'who are you?', 'text/plain', 'forbidden', false],
    [403, '', 'text/plain', 'forbidden', false],
    [404, '404 page not found', 'text/plain', 'server_error', false],
    [405, '405 method not allowed', 'text/plain', 'server_error', false],
    [500, 'not json', 'application/json', 'server_error', false],
    [502, '<html>nginx</html>', 'text/html', 'server_error', true],
    [503, '<html>nginx</html>', 'text/html', 'server_error', true],
    [504, '<html>nginx</html>', 'text/html', 'server_error', true],
  ] as const)('%i “%s” of a proxy (%s) is %s', async (status, body, type, reason, passing) => {
    const failure = failureIn(await bench.play(replyWith(status, body, type)));
    expect(failure).toMatchObject({ reason, status });
    expect(failure.detail).toContain(`HTTP ${status}`);
    expect(isPassing(failure)).toBe(passing);
  });
});

describe('a connection that broke before anything came', () => {
  it('may hold the next time, as may one that did not come about', async () => {
    const broken = failureIn(await bench.play(resetConnection()));
    expect(broken.reason).toBe('cut_off');
    expect(isPassing(broken)).toBe(true);
    await bench.server.stop();
    expect(isPassing(failureIn(await bench.collect()))).toBe(true);
  });
});
