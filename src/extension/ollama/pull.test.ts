import { describe, expect, it } from 'vitest';
import {
  cutOff,
  failWith,
  headersOnly,
  holdUntil,
  replyWith,
  resetConnection,
} from '../../../test/support/ollama/chatStep';
import { isFor, never, unaborted, useClientBench } from '../../../test/support/ollama/clientBench';
import { ManualClock } from '../../../test/support/manualClock';
import { Gate } from '../../../test/support/ollama/gate';
import type { ModelFailure, PullEvent } from './modelClient';

const bench = useClientBench();
const layers = [
  { digest: 'a'.repeat(64), total: 1_000, tells: [0, 400, 1_000] },
  { digest: 'b'.repeat(64), total: 10 },
];

async function pull(signal = unaborted, model = 'new'): Promise<PullEvent[]> {
  const events: PullEvent[] = [];
  for await (const event of bench.client.pull(model, signal)) events.push(event);
  const closings = events.filter(({ type }) => type !== 'progress');
  expect(closings).toEqual(events.slice(-1));
  return events;
}

/** The bytes told of each layer. */
function bytesOf(events: readonly PullEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'progress' && event.digest !== undefined
      ? [`${event.digest.slice(7, 8)} ${event.completed} of ${event.total}`]
      : [],
  );
}

function failureIn(events: readonly PullEvent[]): ModelFailure {
  const last = events.at(-1);
  if (last?.type !== 'failed') throw new Error(`not failed: ${JSON.stringify(last)}`);
  return last.failure;
}

describe('a pull', () => {
  it('tells its progress layer by layer, and then the model can be used', async () => {
    bench.server.offer({ model: { name: 'new', parameterSize: '7B' }, layers });
    const events = await pull();
    expect(bytesOf(events)).toEqual(['a 0 of 1000', 'a 400 of 1000', 'a 1000 of 1000', 'b 0 of 10', 'b 10 of 10']);
    expect(events.at(-1)).toEqual({ type: 'done' });
    const models = await bench.client.listModels(unaborted);
    expect(models).toMatchObject({
      value: {
        models: expect.arrayContaining([expect.objectContaining({ name: 'new:latest', parameterSize: '7B' })]) as [],
      },
    });
  });

  it('pauses with Stop, as the server sees, and goes on there the next time', async () => {
    const hold = (completed: number): Promise<unknown> | undefined => (completed === 1_000 ? never : undefined);
    bench.server.offer({ model: 'new', layers, hold });
    const controller = new AbortController();
    const events: PullEvent[] = [];
    for await (const event of bench.client.pull('new', controller.signal)) {
      events.push(event);
      if (event.type === 'progress' && event.completed === 400) controller.abort();
    }
    expect(events.at(-1)).toEqual({ type: 'aborted' });
    await bench.server.requests[0]!.closed;
    bench.server.offer({ model: 'new', layers });
    expect(bytesOf(await pull())).toEqual(['a 400 of 1000', 'a 1000 of 1000', 'b 0 of 10', 'b 10 of 10']);
  });

  it('pauses when its reader leaves', async () => {
    bench.server.offer({ model: 'new', layers, hold: (completed) => (completed === 0 ? undefined : never) });
    for await (const event of bench.client.pull('new', unaborted)) {
      if (event.type === 'progress' && event.completed === 0) break;
    }
    await bench.server.requests[0]!.closed;
  });

  it('can be stopped before the headers', async () => {
    bench.server.disturb('/api/pull', holdUntil(never));
    const controller = new AbortController();
    const events = pull(controller.signal);
    const request = await bench.server.nextRequest(isFor('/api/pull'));
    controller.abort();
    expect(await events).toEqual([{ type: 'aborted' }]);
    await request.closed;
  });

  it('takes as long as it wants', async () => {
    const clock = new ManualClock();
    const arrived = new Gate();
    bench.server.offer({ model: 'new', layers, hold: (completed) => (completed === 400 ? arrived.opened : undefined) });
    const events: PullEvent[] = [];
    const reading = (async () => {
      for await (const event of bench.clientFor(clock, { stallMs: 1_000 }).pull('new', unaborted)) events.push(event);
    })();
    await expect.poll(() => bytesOf(events)).toEqual(['a 0 of 1000']);
    clock.advance(3_600_000);
    arrived.open();
    await reading;
    expect(events.at(-1)).toEqual({ type: 'done' });
  });

  it('of a model that is there is done at once', async () => {
    const events = await pull(unaborted, 'llama3.2');
    expect(bytesOf(events)).toHaveLength(1);
    expect(events.at(-1)).toEqual({ type: 'done' });
  });

  it('fails with an error in the stream, in the server’s words', async () => {
    const words = 'max retries exceeded: Get "https://registry.ollama.ai/v2/": dial tcp: no such host';
    bench.server.offer({ model: 'new', layers, tail: [failWith(words)] });
    const events = await pull();
    expect(bytesOf(events)).toHaveLength(5);
    expect(failureIn(events)).toEqual({ reason: 'server_error', detail: words });
  });

  it.each([
    ['ends without success', [cutOff()]],
    ['breaks', [resetConnection()]],
  ])('is cut off when the stream %s', async (_, tail) => {
    bench.server.offer({ model: 'new', layers, tail });
    expect(failureIn(await pull()).reason).toBe('cut_off');
  });

  it('is cut off when nothing comes but headers', async () => {
    bench.server.disturb('/api/pull', headersOnly(), cutOff());
    expect(failureIn(await pull()).reason).toBe('cut_off');
  });

  it('fails when the server refuses it', async () => {
    bench.server.disturb('/api/pull', replyWith(403, '', 'text/plain'));
    expect(failureIn(await pull())).toMatchObject({ reason: 'forbidden', status: 403 });
    await bench.server.stop();
    expect(failureIn(await pull()).reason).toBe('unreachable');
  });
});
