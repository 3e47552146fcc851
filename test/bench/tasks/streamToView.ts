import { Ollama } from 'ollama/browser';
import type { HelloId } from '../../../src/protocol/ids';
import type { Frame } from '../../../src/protocol/frame';
import { frameNotification } from '../../../src/protocol/wire';
import { systemClock } from '../../../src/extension/base/clock';
import { silentLog } from '../../../src/extension/base/log';
import { ViewSession } from '../../../src/extension/conversations/view/viewSession';
import { WindowFactsWatch } from '../../../src/extension/conversations/facts/windowFacts';
import { OllamaClient } from '../../../src/extension/ollama/ollamaClient';
import { ask, idle, MODEL } from '../../support/windows/liveTalk';
import { TestWindow } from '../../support/windows/openWindow';
import { untilMoment } from './untilMoment';

const TOKEN_CHARS = 4;
const SERVER_TRY_MS = 50;

/** Processor time of this process, user and system, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** What one reply cost. */
interface Streamed {
  readonly tokens: number;
  readonly cpuMs: number;
}

/**
 * Streams two replies through all that a window has: client, turn, live conversation, store, and a view whose frames are
 * serialised as the editor does it. Then a third one through the bare client of Ollama, and its records through JSON.
 */
export async function streamToView(args: { readonly folder: string; readonly serverUrl: string }): Promise<{
  readonly first: Streamed;
  readonly second: Streamed;
  readonly bare: Streamed;
  readonly jsonMsPerToken: number;
  readonly frames: number;
  readonly frameBytes: number;
}> {
  const client = new OllamaClient(args.serverUrl, systemClock, silentLog);
  await untilItAnswers(client);
  const window = await TestWindow.open(args.folder, { serverUrl: args.serverUrl });
  const live = window.create();
  const facts = new WindowFactsWatch(
    {
      folder: () => 'bench',
      remote: () => undefined,
      server: () => ({ host: args.serverUrl, client }),
      lastModel: () => MODEL,
      remember: () => undefined,
      memory: () => 0,
      offers: () => Promise.resolve([]),
      useHost: () => Promise.resolve(),
    },
    systemClock,
  );
  let frames = 0;
  let frameBytes = 0;
  const post = (frame: Frame): void => {
    frames += 1;
    frameBytes += serialised(frame);
    if (frame.kind !== 'batch') return;
    const { stream, from, events } = frame;
    setImmediate(() => session.rendered({ stream, n: from + events.length - 1 }));
  };
  const session = new ViewSession({ store: window.store, clock: systemClock, facts }, { post }, live);
  session.ready({ hello: 'bench' as HelloId });

  const reply = async (): Promise<Streamed> => {
    const before = cpuMs();
    await ask(live, 'Tell me all of it.');
    await idle(live);
    await window.store.checkpoint();
    const spent = cpuMs() - before;
    const parts = live.transcript.messages.at(-1)?.parts ?? [];
    const chars = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
    return { tokens: chars / TOKEN_CHARS, cpuMs: spent };
  };
  const first = await reply();
  const second = await reply();
  session.dispose();
  await window.close();

  const bareBefore = cpuMs();
  const records: unknown[] = [];
  const bare = new Ollama({ host: args.serverUrl });
  const messages = [{ role: 'user', content: 'Tell me all of it.' }];
  for await (const record of await bare.chat({ model: MODEL, messages, stream: true })) records.push(record);
  const bareCpuMs = cpuMs() - bareBefore;
  return {
    first,
    second,
    bare: { tokens: records.length, cpuMs: bareCpuMs },
    jsonMsPerToken: jsonMs(records) / records.length,
    frames,
    frameBytes,
  };
}

/** The messenger wraps the frame, and the editor writes it as JSON in a JSON message to its other process. */
function serialised(frame: Frame): number {
  const message = JSON.stringify({ method: frameNotification.method, receiver: { type: 'webview' }, params: frame });
  return Buffer.byteLength(JSON.stringify([0, message]));
}

/** What it costs to read and write the records once, in milliseconds. */
function jsonMs(records: readonly unknown[]): number {
  const lines = records.map((record) => JSON.stringify(record));
  const before = cpuMs();
  for (const line of lines) JSON.stringify(JSON.parse(line));
  return cpuMs() - before;
}

async function untilItAnswers(client: OllamaClient): Promise<void> {
  while (!(await client.listModels(new AbortController().signal)).ok) await untilMoment(Date.now() + SERVER_TRY_MS);
}
