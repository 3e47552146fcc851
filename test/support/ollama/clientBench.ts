import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { Clock } from '../../../src/extension/base/clock';
import { silentLog } from '../../../src/extension/base/log';
import type { ChatRequest, ModelEvent, ModelFailure, ModelToolCall } from '../../../src/extension/ollama/modelClient';
import { OllamaClient, type OllamaClientOptions } from '../../../src/extension/ollama/ollamaClient';
import { ManualClock } from '../manualClock';
import type { ChatStep } from './chatStep';
import type { LoggedRequest } from './requestLog';
import { OllamaServer, type OllamaServerOptions } from './ollamaServer';

/** Whether a request is for a path, to wait for it. */
export function isFor(path: string): (request: LoggedRequest) => boolean {
  return (request) => request.path === path;
}

/** Settles never. */
export const never = new Promise<never>(() => undefined);
/** The signal of what nobody stops. */
export const unaborted = new AbortController().signal;
/** One question, to a model that the server of a bench has. */
export const question: ChatRequest = {
  model: 'llama3.2',
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [],
  contextLength: 8192,
};

/** Our client, over the real library, before a server of its own. */
export class ClientBench {
  server: OllamaServer;
  client: OllamaClient;

  constructor(server: OllamaServer) {
    this.server = server;
    this.client = this.clientFor();
  }

  /** Goes on with another server. */
  async serve(options: OllamaServerOptions): Promise<void> {
    await this.server.close();
    this.server = await OllamaServer.start({ models: ['llama3.2'], ...options });
    this.client = this.clientFor();
  }

  /** Another client; by default of the same server, and on a clock that stands still, so that nothing expires. */
  clientFor(clock: Clock = new ManualClock(), options: OllamaClientOptions = {}, url = this.server.url): OllamaClient {
    return new OllamaClient(url, clock, silentLog, options);
  }

  /** All that a request comes to. It has one closing event, which is the last. */
  async collect(
    changes: Partial<ChatRequest> = {},
    signal = unaborted,
    client: Pick<OllamaClient, 'chat'> = this.client,
  ): Promise<ModelEvent[]> {
    const events: ModelEvent[] = [];
    for await (const event of client.chat({ ...question, ...changes }, signal)) events.push(event);
    const closings = events.filter(({ type }) => type === 'end' || type === 'failed' || type === 'aborted');
    expect(closings).toEqual(events.slice(-1));
    return events;
  }

  /** What the client makes of an answer. */
  play(...steps: (ChatStep | readonly ChatStep[])[]): Promise<ModelEvent[]> {
    this.server.script(...steps);
    return this.collect();
  }
}

/**
 * A bench for each test of a file. After each test it is checked that nothing was printed: the library prints what it
 * cannot parse, which is the model's text and no business of the console.
 */
export function useClientBench(): ClientBench {
  const bench: Partial<ClientBench> = {};
  const printed = vi.spyOn(console, 'log');
  const warned = vi.spyOn(console, 'warn');
  beforeEach(async () => {
    const server = await OllamaServer.start({
      models: [
        'llama3.2',
        { name: 'qwen3', capabilities: ['completion', 'tools', 'thinking'] },
        { name: 'gemma3', capabilities: ['completion', 'vision'] },
        { name: 'embed', capabilities: ['embedding'] },
      ],
    });
    Object.assign(bench, new ClientBench(server));
    printed.mockReset();
    warned.mockReset();
  });
  afterEach(async () => {
    expect(printed).not.toHaveBeenCalled();
    expect(warned).not.toHaveBeenCalled();
    await bench.server?.close();
  });
  return Object.setPrototypeOf(bench, ClientBench.prototype) as ClientBench;
}

/** The text, or the thinking, of all events. */
export function textOf(events: readonly ModelEvent[], type: 'text' | 'thinking' = 'text'): string {
  return events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
}

export function callsOf(events: readonly ModelEvent[]): readonly ModelToolCall[] {
  return events.flatMap((event) => (event.type === 'tool_call' ? [event.call] : []));
}

/** How it failed. */
export function failureIn(events: readonly ModelEvent[]): ModelFailure {
  const last = events.at(-1);
  if (last?.type !== 'failed') throw new Error(`not failed: ${JSON.stringify(last)}`);
  return last.failure;
}
