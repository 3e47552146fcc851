import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdUntil, raw, say } from '../../../test/support/ollama/chatStep';
import { isFor, question, textOf, unaborted, useClientBench } from '../../../test/support/ollama/clientBench';
import { Gate } from '../../../test/support/ollama/gate';
import { ManualClock } from '../../../test/support/manualClock';
import type { ModelEvent } from './modelClient';

const bench = useClientBench();
const CHANNEL = 'http.client.request.start';
/** What Node itself would enforce stands here, though its types do not say so. */
type Sent = ClientRequest & { readonly timeout?: number };
let sent: Sent[] = [];

function note(started: unknown): void {
  sent.push((started as { readonly request: Sent }).request);
}

beforeEach(() => {
  sent = [];
  subscribe(CHANNEL, note);
});

afterEach(() => {
  unsubscribe(CHANNEL, note);
});

/** The time-outs of the requests so far and of their sockets, which Node would enforce behind our clock. */
function timeouts(): unknown[] {
  return sent.flatMap((request) => [request.timeout ?? 0, request.socket?.timeout ?? 0]);
}

describe('a silence', () => {
  it('of 310 s before the headers, and of 310 s between two records, is no failure', async () => {
    const clock = new ManualClock();
    const [headers, rest] = [new Gate(), new Gate()];
    bench.server.script(holdUntil(headers.opened), say('one'), holdUntil(rest.opened), say(' two'));
    const events: ModelEvent[] = [];
    const client = bench.clientFor(clock);
    const reading = (async () => {
      for await (const event of client.chat(question, unaborted)) events.push(event);
    })();
    await bench.server.nextChat();
    clock.advance(310_000);
    headers.open();
    await expect.poll(() => textOf(events)).toBe('one');
    clock.advance(310_000);
    expect(timeouts().length).toBeGreaterThanOrEqual(2);
    expect(timeouts().every((ms) => ms === 0)).toBe(true);
    rest.open();
    await reading;
    expect(textOf(events)).toBe('one two');
    expect(events.at(-1)).toMatchObject({ type: 'end' });
  });

  it('may be limited between records, by the person; anything that arrives ends it', async () => {
    const clock = new ManualClock();
    const more = new Gate();
    bench.server.script(
      say('one'),
      holdUntil(more.opened),
      raw('{"message":{"content":"tw'),
      holdUntil(new Gate().opened),
    );
    const events: ModelEvent[] = [];
    const client = bench.clientFor(clock, { stallMs: 400_000 });
    const reading = (async () => {
      for await (const event of client.chat(question, unaborted)) events.push(event);
    })();
    await expect.poll(() => textOf(events)).toBe('one');
    clock.advance(310_000);
    more.open();
    // Half a record is a sign of life, though there is nothing to show of it.
    await expect.poll(() => clock.nextAt).toBe(710_000);
    clock.advance(310_000);
    expect(events).toEqual([{ type: 'text', text: 'one' }]);
    clock.advance(90_000);
    await reading;
    expect(events.at(-1)).toMatchObject({ type: 'failed', failure: { reason: 'stalled' } });
  });

  it('of the reader is not one of the server', async () => {
    const clock = new ManualClock();
    bench.server.script(say('one', ' two'));
    const chat = bench.clientFor(clock, { stallMs: 1_000 }).chat(question, unaborted);
    const events: ModelEvent[] = [];
    for await (const event of chat) {
      events.push(event);
      clock.advance(60_000);
    }
    expect(textOf(events)).toBe('one two');
    expect(events.at(-1)).toMatchObject({ type: 'end' });
  });

  it('while a model is loaded by itself has no limit either', async () => {
    const clock = new ManualClock();
    const read = new Gate();
    bench.server.holdLoads(read.opened);
    const loading = bench.clientFor(clock).load({ model: 'llama3.2', contextLength: 8192 }, unaborted);
    await bench.server.nextRequest(isFor('/api/generate'));
    clock.advance(3_600_000);
    read.open();
    expect(await loading).toEqual({ ok: true, value: undefined });
  });
});
