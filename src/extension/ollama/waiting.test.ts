import { describe, expect, it } from 'vitest';
import { holdUntil, replyWith, say } from '../../../test/support/ollama/chatStep';
import { isFor, never, question, textOf, useClientBench } from '../../../test/support/ollama/clientBench';
import { Gate } from '../../../test/support/ollama/gate';
import { ManualClock } from '../../../test/support/manualClock';
import type { LoggedRequest } from '../../../test/support/ollama/requestLog';
import type { ChatRequest, ModelEvent } from './modelClient';
import type { OllamaClient } from './ollamaClient';

const bench = useClientBench();

/** A request under way: what came of it so far, and a promise for its end. */
interface Underway {
  readonly events: ModelEvent[];
  readonly over: Promise<void>;
  readonly stop: () => void;
}

function begin(client: OllamaClient, changes: Partial<ChatRequest> = {}): Underway {
  const controller = new AbortController();
  const events: ModelEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of client.chat({ ...question, ...changes }, controller.signal)) events.push(event);
  };
  return { events, over: read(), stop: () => controller.abort() };
}

function phasesOf(events: readonly ModelEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'waiting' ? [event.phase] : []));
}

function looks(): number {
  return bench.server.requests.filter(isFor('/api/ps')).length;
}

/** Lets time pass until the server's memory is looked at. */
async function nextLook(clock: ManualClock): Promise<LoggedRequest> {
  let request: LoggedRequest | undefined;
  void bench.server.nextRequest(isFor('/api/ps')).then((came) => {
    request = came;
  });
  await expect
    .poll(() => {
      if (request === undefined) clock.advance(1_000);
      return request;
    })
    .toBeDefined();
  return request!;
}

describe('what the server does before the first word', () => {
  it('is not asked for when the answer comes at once', async () => {
    bench.server.script(say('Hi'));
    expect(phasesOf(await bench.collect())).toEqual([]);
    expect(looks()).toBe(0);
  });

  it('is loading until the model is in memory, then reading, each said once', async () => {
    const clock = new ManualClock();
    const read = new Gate();
    const answering = new Gate();
    bench.server.holdLoads(read.opened);
    bench.server.script(holdUntil(answering.opened), say('Hi'));
    const chat = begin(bench.clientFor(clock));
    await bench.server.nextChat();
    clock.advance(299);
    expect(looks()).toBe(0);
    clock.advance(1);
    await expect.poll(() => phasesOf(chat.events)).toEqual(['loading']);
    await nextLook(clock);
    await nextLook(clock);
    read.open();
    await expect.poll(() => (clock.advance(1_000), phasesOf(chat.events))).toEqual(['loading', 'reading']);
    await nextLook(clock);
    answering.open();
    await chat.over;
    expect(chat.events).toMatchObject([
      { type: 'waiting', phase: 'loading' },
      { type: 'waiting', phase: 'reading' },
      { type: 'text', text: 'Hi' },
      { type: 'end' },
    ]);
  });

  it('is looked at no more once a record came', async () => {
    const clock = new ManualClock();
    bench.server.script(say('Hi'), holdUntil(never));
    const chat = begin(bench.clientFor(clock));
    await expect.poll(() => textOf(chat.events)).toBe('Hi');
    expect(clock.pending).toBe(0);
    chat.stop();
    await chat.over;
    expect(looks()).toBe(0);
  });

  it('is loading while another, larger window of the model is in memory', async () => {
    const clock = new ManualClock();
    const models = [{ name: 'llama3.2:latest', context_length: 65_536 }];
    bench.server.disturb('/api/ps', replyWith(200, JSON.stringify({ models }), 'application/json'));
    bench.server.script(holdUntil(never));
    const chat = begin(bench.clientFor(clock));
    await nextLook(clock);
    await expect.poll(() => phasesOf(chat.events)).toEqual(['loading']);
    chat.stop();
    await chat.over;
  });

  it('is no reason to fail when it cannot be told', async () => {
    const clock = new ManualClock();
    const answering = new Gate();
    bench.server.disturb('/api/ps', replyWith(502, '<html>nginx</html>'));
    bench.server.disturb('/api/ps', replyWith(200, 'hello', 'text/plain'));
    bench.server.script(holdUntil(answering.opened), say('Hi'));
    const chat = begin(bench.clientFor(clock));
    await nextLook(clock);
    await nextLook(clock);
    expect(chat.events).toEqual([]);
    await nextLook(clock);
    await expect.poll(() => phasesOf(chat.events)).toEqual(['reading']);
    answering.open();
    await chat.over;
    expect(chat.events.at(-1)).toMatchObject({ type: 'end' });
  });

  it('is asked for with a limit, one look at a time', async () => {
    const clock = new ManualClock();
    bench.server.disturb('/api/ps', holdUntil(never));
    bench.server.script(holdUntil(never));
    const chat = begin(bench.clientFor(clock));
    const look = await nextLook(clock);
    clock.advance(9_000);
    expect(looks()).toBe(1);
    clock.advance(10_000);
    await look.closed;
    await nextLook(clock);
    await expect.poll(() => phasesOf(chat.events)).toEqual(['reading']);
    chat.stop();
    await chat.over;
  });

  it('is asked for no more after Stop, which ends a look, too', async () => {
    const clock = new ManualClock();
    bench.server.disturb('/api/ps', holdUntil(never));
    bench.server.script(holdUntil(never));
    const chat = begin(bench.clientFor(clock));
    const look = await nextLook(clock);
    chat.stop();
    await chat.over;
    expect(chat.events).toEqual([{ type: 'aborted' }]);
    await look.closed;
    await expect.poll(() => clock.pending).toBe(0);
  });

  it('is asked for no more when the reader leaves', async () => {
    const clock = new ManualClock();
    bench.server.script(holdUntil(never));
    const chat = bench.clientFor(clock).chat(question, new AbortController().signal);
    const first = chat.next();
    await bench.server.nextChat();
    clock.advance(300);
    expect((await first).value).toEqual({ type: 'waiting', phase: 'reading' });
    await chat.return();
    await bench.server.chats[0]!.closed;
    await expect.poll(() => clock.pending).toBe(0);
  });
});

describe('a request behind another one of ours', () => {
  it('to the same model, however it is named, is queued until that has ended', async () => {
    const clock = new ManualClock();
    await bench.serve({ parallel: 1 });
    const client = bench.clientFor(clock);
    const firstDone = new Gate();
    bench.server.script(say('one'), holdUntil(firstDone.opened));
    bench.server.script(holdUntil(never));
    const first = begin(client);
    await expect.poll(() => textOf(first.events)).toBe('one');
    const second = begin(client, { model: 'registry.ollama.ai/library/LLAMA3.2:latest' });
    await expect.poll(() => phasesOf(second.events)).toEqual(['queued']);
    // Nothing is looked up: it is known.
    clock.advance(60_000);
    expect(looks()).toBe(0);
    firstDone.open();
    await first.over;
    await nextLook(clock);
    await expect.poll(() => phasesOf(second.events)).toEqual(['queued', 'reading']);
    second.stop();
    await second.over;
  });

  it('is queued no longer when that is stopped, though its reader is busy', async () => {
    const clock = new ManualClock();
    const client = bench.clientFor(clock);
    bench.server.script(say('one'), holdUntil(never));
    bench.server.script(holdUntil(never));
    const stopping = new AbortController();
    const first = client.chat(question, stopping.signal);
    await first.next();
    const second = begin(client);
    await expect.poll(() => phasesOf(second.events)).toEqual(['queued']);
    stopping.abort();
    await nextLook(clock);
    await expect.poll(() => phasesOf(second.events)).toEqual(['queued', 'reading']);
    second.stop();
    await second.over;
    expect((await first.next()).value).toEqual({ type: 'aborted' });
  });

  it('to another model is not queued', async () => {
    const clock = new ManualClock();
    const client = bench.clientFor(clock);
    bench.server.script(holdUntil(never));
    bench.server.script(say('Hi'));
    const first = begin(client);
    await bench.server.nextChat();
    expect(phasesOf(await bench.collect({ model: 'qwen3' }, undefined, client))).toEqual([]);
    first.stop();
    await first.over;
  });

  it('can be stopped while it is queued', async () => {
    const client = bench.clientFor();
    bench.server.script(holdUntil(never));
    bench.server.script(holdUntil(never));
    const first = begin(client);
    await bench.server.nextChat();
    const second = begin(client);
    const request = await bench.server.nextChat();
    second.stop();
    await second.over;
    expect(second.events).toEqual([{ type: 'waiting', phase: 'queued' }, { type: 'aborted' }]);
    await request.closed;
    first.stop();
    await first.over;
  });
});
