import { meterOfTranscript } from '../../../src/extension/agent/contextMeter';
import type { PlannedPrompt } from '../../../src/extension/agent/forecast';
import { modelHistory } from '../../../src/extension/agent/history';
import { runTurn } from '../../../src/extension/agent/turn';
import { systemClock } from '../../../src/extension/base/clock';
import { silentLog } from '../../../src/extension/base/log';
import type { ToolDefinition } from '../../../src/extension/ollama/modelClient';
import { OllamaClient } from '../../../src/extension/ollama/ollamaClient';
import type { Message } from '../../../src/protocol/message';
import type { ContextMeter, RunStep } from '../../../src/protocol/status';
import { FoldedRecorder } from '../agent/foldedRecorder';
import { callTool, say, think } from '../ollama/chatStep';
import type { ChatStep } from '../ollama/chatStep';
import type { OllamaServer } from '../ollama/ollamaServer';
import { answered } from '../../../src/extension/tools/tool';
import { ALL_ALLOWED } from '../agent/leave';
import { testSettings } from '../windows/turnSettings';

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

/** A conversation of the product's own loop over the real client, metered at each request. */
export class MeteredTalk {
  readonly #recorder = new MeteredRecorder();
  readonly #server: OllamaServer;
  readonly #results: string[] = [];

  constructor(server: OllamaServer) {
    this.#server = server;
  }

  get messages(): readonly Message[] {
    return this.#recorder.transcript.messages;
  }

  get metered(): readonly Metered[] {
    const counts = this.messages.flatMap(({ usage }) => usage?.promptTokens ?? []);
    return this.#recorder.sent.map((meter, index) => {
      const counted = counts[index] ?? 0;
      return { meter, counted, error: meter.tokens / counted - 1 };
    });
  }

  get planned(): PlannedPrompt {
    const { told } = modelHistory(this.messages, { resultTokens: WINDOW, vision: false, answered: true });
    return {
      setting: [{ role: 'system', content: SYSTEM }],
      history: told.flatMap(({ messages }) => messages),
      tools: TOOLS,
    };
  }

  get opened(): ContextMeter | undefined {
    return meterOfTranscript(this.messages, { asked: WINDOW });
  }

  /** The person asks, and the model answers so many requests. */
  async turn(question: string, ...answers: readonly Answer[]): Promise<void> {
    const seq = (this.messages.at(-1)?.seq ?? 0) + 1;
    const parts = [{ type: 'text', text: question }] as const;
    const message: Message = { seq, role: 'user', status: 'done', createdAt: 0, parts };
    this.#recorder.record({ type: 'message_added', message });
    for (const answer of answers) this.#script(answer);
    const settings = testSettings(new OllamaClient(this.#server.url, systemClock, silentLog), {
      systemPrompt: SYSTEM,
      contextLength: WINDOW,
      think: true,
      tools: {
        definitions: TOOLS,
        plan: () => Promise.resolve(answered({ ok: true, content: this.#results.shift() ?? '', summary: '' })),
        malformed: () => ({ ok: false, content: '', summary: '' }),
      },
    });
    const input = { ...settings, recorder: this.#recorder, clock: systemClock, model: 'm', leave: ALL_ALLOWED };
    await runTurn(input, new AbortController().signal);
  }

  #script({ thinking, text, result }: Answer): void {
    const steps: ChatStep[] = [];
    if (thinking !== undefined) steps.push(...think(thinking));
    if (text !== undefined) steps.push(...say(text));
    if (result !== undefined) {
      steps.push(callTool('read_file', { path: 'src/example/file.ts', from: this.#results.length + 1 }));
      this.#results.push(result);
    }
    this.#server.script(steps);
  }
}

/** Notes what the meter shows when a request is about to leave. */
class MeteredRecorder extends FoldedRecorder {
  readonly sent: ContextMeter[] = [];

  override at(step: RunStep): void {
    super.at(step);
    const meter = this.meters.at(-1);
    if (step.kind === 'waiting' && step.phase === undefined && meter !== undefined) this.sent.push(meter);
  }
}
