import { describe, expect, it } from 'vitest';
import {
  bareDone,
  blankLine,
  callTool,
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
  type ChatStep,
} from '../../../test/support/ollama/chatStep';
import { callsOf, failureIn, never, question, textOf, useClientBench } from '../../../test/support/ollama/clientBench';
import { Gate } from '../../../test/support/ollama/gate';
import { ManualClock } from '../../../test/support/manualClock';
import type { ModelEvent } from './modelClient';

const bench = useClientBench();

function message(content: string, rest: Record<string, string | boolean> = {}): ChatStep {
  return record({ model: 'llama3.2', message: { role: 'assistant', content }, done: false, ...rest });
}

describe('5.12 other framing', () => {
  it.each([
    ['1: every byte in its own write', framed({ split: 'byte' })],
    ['1: three bytes in a write', framed({ split: { bytes: 3 } })],
    ['2: all records in one write', framed({ split: { records: 50 } })],
    ['2: two records in one write', framed({ split: { records: 2 } })],
    ['3: the last record without a newline', framed({ finalNewline: false })],
    ['4: CRLF', framed({ lineEnd: '\r\n' })],
  ])('%s', async (_, framing) => {
    const events = await bench.play(framing, say('ь', '語', '👋 a', '\u2028b'), done({ eval_count: 4 }));
    expect(textOf(events)).toBe('ь語👋 a\u2028b');
    expect(events.at(-1)).toMatchObject({ type: 'end', usage: { answerTokens: 4 } });
  });

  it('5: a blank line between records', async () => {
    expect(textOf(await bench.play(say('a'), blankLine(), say('b')))).toBe('ab');
  });

  it('6: a garbage line between good ones, and JSON that is no record', async () => {
    const events = await bench.play(
      say('a'),
      garbageLine(),
      raw('null\n7\n[]\n"text"\n'),
      message('b'),
      record({ message: 'odd' }),
      record({}),
    );
    expect(textOf(events)).toBe('ab');
    expect(events.at(-1)).toMatchObject({ type: 'end' });
  });

  it('7: EOF without done is cut off, with what came', async () => {
    const events = await bench.play(say('The ans'), cutOff());
    expect(textOf(events)).toBe('The ans');
    expect(failureIn(events)).toMatchObject({ reason: 'cut_off' });
  });

  it('8: done_reason without done is an end', async () => {
    expect(await bench.play(message('Hi'), message('', { done_reason: 'length' }), cutOff())).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'end', reason: 'length', usage: {} },
    ]);
  });

  it('9: done without a reason and without any metric is an end', async () => {
    expect((await bench.play(say('Hi'), bareDone())).at(-1)).toEqual({ type: 'end', reason: 'stop', usage: {} });
  });

  it.each([
    ['before headers', [resetConnection()], ''],
    ['after headers', [headersOnly(), resetConnection()], ''],
  ] as const)('10: TCP reset %s is cut off', async (_, steps, text) => {
    const events = await bench.play(...steps);
    expect(textOf(events)).toBe(text);
    expect(failureIn(events).reason).toBe('cut_off');
  });

  it.each([
    ['between two records', []],
    ['mid-record', [raw('{"message":{"content":"tw')]],
  ] as const)('10: TCP reset %s is cut off, with what came', async (_, steps) => {
    const seen = new Gate();
    bench.server.script(say('one'), ...steps, holdUntil(seen.opened), resetConnection());
    const events: ModelEvent[] = [];
    for await (const event of bench.client.chat(question, new AbortController().signal)) {
      events.push(event);
      seen.open();
    }
    expect(textOf(events)).toBe('one');
    expect(failureIn(events).reason).toBe('cut_off');
  });

  it('10: TCP reset after the last record takes nothing back', async () => {
    const seen = new Gate();
    const reset = new Gate();
    bench.server.script(async function* () {
      try {
        yield* say('one');
        yield done();
        yield holdUntil(seen.opened);
        yield resetConnection();
      } finally {
        reset.open();
      }
    });
    const events: ModelEvent[] = [];
    for await (const event of bench.client.chat(question, new AbortController().signal)) {
      events.push(event);
      seen.open();
      await reset.opened;
    }
    expect(events).toMatchObject([{ type: 'text', text: 'one' }, { type: 'end' }]);
  });

  it('11: silence before headers has no limit', async () => {
    const clock = new ManualClock();
    const answering = new Gate();
    bench.server.script(holdUntil(answering.opened), say('Hi'));
    const answer = bench.collect({}, undefined, bench.clientFor(clock, { stallMs: 1_000 }));
    await bench.server.nextChat();
    clock.advance(3_600_000);
    answering.open();
    expect((await answer).at(-1)).toMatchObject({ type: 'end' });
  });

  it('11: silence mid-body beyond the watchdog is a stall, with what came', async () => {
    const clock = new ManualClock();
    bench.server.script(say('one'), holdUntil(never));
    const events: ModelEvent[] = [];
    const client = bench.clientFor(clock, { stallMs: 120_000 });
    const reading = (async () => {
      for await (const event of client.chat(question, new AbortController().signal)) events.push(event);
    })();
    await expect.poll(() => textOf(events)).toBe('one');
    clock.advance(119_999);
    expect(events.at(-1)).toMatchObject({ type: 'text' });
    clock.advance(1);
    await reading;
    expect(failureIn(events)).toEqual({ reason: 'stalled', detail: 'Nothing came for 120 s.' });
    await bench.server.chats[0]!.closed;
  });

  it.each([
    ['200 with a web page', replyWith(200, '<html>Sign in</html>', 'text/html; charset=utf-8'), 200],
    ['502 with a web page', replyWith(502, '<html>nginx</html>'), 502],
    ['504 with a web page', replyWith(504, '<html>nginx</html>'), 504],
  ])('12: %s is no answer of Ollama', async (_, step, status) => {
    const failure = failureIn(await bench.play(step));
    expect(failure).toMatchObject({ reason: 'server_error', status });
    expect(failure.detail).toContain('a web page came instead of an answer of Ollama');
    expect(failure.detail).not.toContain('<');
  });

  it('13: a record of two megabytes', async () => {
    const content = 'x'.repeat(2_000_000);
    const events = await bench.play(callTool('write_file', { content }));
    expect(callsOf(events)).toMatchObject([{ arguments: { content } }]);
  });

  it('14: a request that the client aborts is closed, as the server sees', async () => {
    bench.server.script(say('one'), holdUntil(never));
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of bench.client.chat(question, controller.signal)) {
      events.push(event);
      controller.abort();
    }
    expect(events).toEqual([{ type: 'text', text: 'one' }, { type: 'aborted' }]);
    await bench.server.chats[0]!.closed;
  });

  it('15: a socket that stays open after the done record holds nothing up', async () => {
    const events = await bench.play(say('Hi'), done(), holdUntil(never));
    expect(events.at(-1)).toMatchObject({ type: 'end' });
    await bench.server.chats[0]!.closed;
  });

  it('16: unknown extra keys and an unknown done_reason', async () => {
    const events = await bench.play(message('Hi', { mood: 'good' }), done({ done_reason: 'tired' }));
    expect(textOf(events)).toBe('Hi');
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' });
  });

  it('17: a tool call in the done record', async () => {
    const events = await bench.play(
      say('Reading.'),
      callTool('read_file', { path: 'a.ts' }, { id: 'call_a1', where: 'done' }),
    );
    expect(events).toMatchObject([
      { type: 'text', text: 'Reading.' },
      { type: 'tool_call', call: { id: 'call_a1', name: 'read_file', arguments: { path: 'a.ts' } } },
      { type: 'end', reason: 'stop' },
    ]);
  });

  it('18: a slow sequential queue: the second is answered after the first, and said to be queued', async () => {
    await bench.serve({ parallel: 1 });
    const answering = new Gate();
    bench.server.script(holdUntil(answering.opened), say('first'));
    bench.server.script(say('second'));
    const first = bench.collect();
    const firstRequest = await bench.server.nextChat();
    const second = bench.collect();
    const secondRequest = await bench.server.nextChat();
    expect(secondRequest.headersSentAt).toBeUndefined();
    answering.open();
    expect(textOf(await first)).toBe('first');
    const events = await second;
    expect(events[0]).toEqual({ type: 'waiting', phase: 'queued' });
    expect(textOf(events)).toBe('second');
    expect(secondRequest.headersSentAt).toBeGreaterThanOrEqual(firstRequest.endedAt ?? Number.POSITIVE_INFINITY);
  });
});
