import { systemClock } from '../../../src/extension/base/clock';
import { silentLog } from '../../../src/extension/base/log';
import { meterOfRequest, meterOfTranscript } from '../../../src/extension/agent/contextMeter';
import { modelHistory } from '../../../src/extension/agent/history';
import { estimatePrompt } from '../../../src/extension/agent/tokens';
import type { PlannedPrompt } from '../../../src/extension/agent/forecast';
import type { ToolDefinition } from '../../../src/extension/ollama/modelClient';
import { OllamaClient } from '../../../src/extension/ollama/ollamaClient';
import type { Message } from '../../../src/protocol/message';
import type { Part } from '../../../src/protocol/part';
import type { ContextMeter } from '../../../src/protocol/status';
import { callTool, say, think } from '../ollama/chatStep';
import type { ChatStep } from '../ollama/chatStep';
import type { OllamaServer } from '../ollama/ollamaServer';

const WINDOW = 131_072;

const SYSTEM =
  'You are an assistant for software engineers inside an editor. Answer in Markdown, to the point. Name files by their path in the folder. Use the tools to look at files before you say something about them; never guess what a file holds.';

const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'read_file',
    description:
      'Reads a text file of the folder, with line numbers. Long files come in pieces: ask for a range of lines.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path of the file, relative to the folder.' },
        from: { type: 'integer', description: 'First line, counted from 1.' },
        to: { type: 'integer', description: 'Last line.' },
      },
      required: ['path'],
    },
  },
  {
    name: 'search_text',
    description: 'Finds lines that match a regular expression in the files of the folder.',
    parameters: {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        include: { type: 'string', description: 'Glob of files to look in.' },
      },
      required: ['pattern'],
    },
  },
];

/** What the meter showed when a request left, and what the server then counted. */
export interface Metered {
  readonly meter: ContextMeter;
  readonly counted: number;
  /** Share by which the meter was wrong. */
  readonly error: number;
}

/** How the model answers one request: it thinks, says something, or calls `read_file`, whose result is `result`. */
export interface Answer {
  readonly thinking?: string;
  readonly text?: string;
  readonly result?: string;
}

/** A conversation over the real client, metered at each request. */
export class MeteredTalk {
  readonly messages: Message[] = [];
  readonly metered: Metered[] = [];
  readonly #server: OllamaServer;

  constructor(server: OllamaServer) {
    this.#server = server;
  }

  get planned(): PlannedPrompt {
    return {
      setting: [{ role: 'system', content: SYSTEM }],
      history: modelHistory(this.messages, Number.POSITIVE_INFINITY),
      tools: TOOLS,
    };
  }

  get opened(): ContextMeter | undefined {
    return meterOfTranscript(this.messages, { asked: WINDOW });
  }

  meter(): ContextMeter {
    return meterOfRequest(this.messages, this.planned, { asked: WINDOW });
  }

  /** The person asks, and the model answers so many requests. */
  async turn(question: string, ...answers: readonly Answer[]): Promise<void> {
    this.#add({ role: 'user', status: 'done', parts: [{ type: 'text', text: question }] });
    for (const answer of answers) await this.#step(answer);
  }

  async #step({ thinking, text, result }: Answer): Promise<void> {
    const steps: ChatStep[] = [];
    if (thinking !== undefined) steps.push(...think(thinking));
    if (text !== undefined) steps.push(...say(text));
    if (result !== undefined) steps.push(callTool('read_file', { path: 'src/example/file.ts', from: 1 }));
    this.#server.script(steps);
    const { setting, history, tools } = this.planned;
    const messages = [...setting, ...history];
    const estimatedTokens = estimatePrompt(messages, tools);
    const meter = this.meter();
    const parts: Part[] = [];
    const client = new OllamaClient(this.#server.url, systemClock, silentLog);
    const request = { model: 'm', messages, tools, contextLength: WINDOW };
    for await (const event of client.chat(request, new AbortController().signal)) {
      if (event.type === 'thinking') parts.push({ type: 'thinking', text: event.text, startedAt: 0 });
      else if (event.type === 'text') parts.push({ type: 'text', text: event.text });
      else if (event.type === 'tool_call') {
        const { name, arguments: args } = event.call;
        const content = result ?? '';
        parts.push({ type: 'tool', name, arguments: args, state: 'done', result: { content } });
      } else if (event.type === 'end') {
        const counted = event.usage.promptTokens ?? 0;
        this.metered.push({ meter, counted, error: meter.tokens / counted - 1 });
        this.#add({ role: 'assistant', status: 'done', parts, usage: { ...event.usage, estimatedTokens } });
        return;
      } else if (event.type !== 'waiting') throw new Error(`the answer ended as ${event.type}`);
    }
  }

  #add(message: Omit<Message, 'seq' | 'createdAt'>): void {
    this.messages.push({ ...message, seq: this.messages.length + 1, createdAt: 0 });
  }
}
