import { describe, expect, it, vi } from 'vitest';
import { headersOnly, holdUntil, say } from '../../../test/support/ollama/chatStep';
import { never, question, textOf, unaborted, useClientBench } from '../../../test/support/ollama/clientBench';
import { ManualClock } from '../../../test/support/manualClock';
import type { ModelEvent } from './modelClient';

const bench = useClientBench();

describe('Stop', () => {
  /** Stops a request when it is `ready`. The server sees the close, or this never ends. */
  async function stopWhen(ready: (events: readonly ModelEvent[]) => Promise<unknown>): Promise<ModelEvent[]> {
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of bench.client.chat(question, controller.signal)) events.push(event);
    })();
    await ready(events);
    controller.abort();
    await reading;
    await bench.server.chats.at(-1)!.closed;
    return events;
  }

  /** On a server with one slot, the next request is answered only when the one before has let go. */
  async function nextIsServed(): Promise<void> {
    bench.server.script(say('here'));
    expect(textOf(await bench.collect())).toBe('here');
  }

  it('closes the connection before the headers, and the next request is served', async () => {
    await bench.serve({ parallel: 1 });
    bench.server.script(holdUntil(never));
    expect(await stopWhen(() => bench.server.nextChat())).toEqual([{ type: 'aborted' }]);
    await nextIsServed();
  });

  it('closes the connection while the model is loaded, and the next request is served', async () => {
    await bench.serve({ parallel: 1 });
    bench.server.holdLoads(never);
    bench.server.script(say('too late'));
    expect(await stopWhen(() => bench.server.nextChat())).toEqual([{ type: 'aborted' }]);
    bench.server.holdLoads(Promise.resolve());
    await nextIsServed();
  });

  it('closes the connection between headers and first record', async () => {
    bench.server.script(headersOnly(), holdUntil(never));
    expect(await stopWhen(async () => (await bench.server.nextChat()).headersSent)).toEqual([{ type: 'aborted' }]);
  });

  it('closes the connection in the middle of the stream, yields nothing more, and the next request is served', async () => {
    await bench.serve({ parallel: 1 });
    bench.server.script(say('one'), holdUntil(never));
    const events = await stopWhen((seen) => expect.poll(() => seen.length).toBe(1));
    expect(events).toEqual([{ type: 'text', text: 'one' }, { type: 'aborted' }]);
    await nextIsServed();
  });

  it('closes the connection while the reader is busy with something else', async () => {
    bench.server.script(say('one', 'two', 'three'), holdUntil(never));
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of bench.client.chat(question, controller.signal)) {
      events.push(event);
      if (event.type === 'text') {
        controller.abort();
        await bench.server.chats[0]!.closed;
      }
    }
    expect(events).toEqual([{ type: 'text', text: 'one' }, { type: 'aborted' }]);
  });

  it('before the start sends nothing', async () => {
    expect(await bench.collect({}, AbortSignal.abort())).toEqual([{ type: 'aborted' }]);
    expect(bench.server.requests).toEqual([]);
  });

  it('while connecting ends it', async () => {
    // Not answered at all: 192.0.2.0/24 is kept for examples. A machine without a network fails at once instead.
    const controller = new AbortController();
    const client = bench.clientFor(new ManualClock(), {}, 'http://192.0.2.1:11434');
    const collected = bench.collect({}, controller.signal, client);
    setImmediate(() => controller.abort());
    expect(['aborted', 'failed']).toContain((await collected).at(-1)!.type);
  });

  it('is not needed when the reader leaves: the connection closes all the same', async () => {
    bench.server.script(say('one'), holdUntil(never));
    for await (const event of bench.client.chat(question, unaborted)) {
      expect(event).toEqual({ type: 'text', text: 'one' });
      break;
    }
    await bench.server.chats[0]!.closed;
  });

  it('leaves no listener behind on the signal', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    bench.server.script(say('one'));
    await bench.collect({}, signal);
    const listeners = added.mock.calls.map(([, listener]) => listener);
    expect(listeners.length).toBeGreaterThan(0);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(expect.arrayContaining(listeners));
  });

  it('of one request leaves the others alone', async () => {
    bench.server.script(holdUntil(never));
    bench.server.script(say('here'));
    const controller = new AbortController();
    const first = bench.collect({}, controller.signal);
    await bench.server.nextChat();
    const second = bench.collect();
    controller.abort();
    expect((await first).at(-1)).toEqual({ type: 'aborted' });
    expect(textOf(await second)).toBe('here');
  });
});
