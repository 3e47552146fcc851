import type { TurnInput, TurnTools } from '../../../src/extension/agent/turn';
import { resumeTurn, runTurn, type AbortReason } from '../../../src/extension/agent/turn';
import { silentLog } from '../../../src/extension/base/log';
import { OllamaClient } from '../../../src/extension/ollama/ollamaClient';
import { ToolRegistry } from '../../../src/extension/tools/registry';
import type { Tool } from '../../../src/extension/tools/tool';
import { messageWord, type Message } from '../../../src/protocol/message';
import type { ToolPart } from '../../../src/protocol/part';
import { ManualClock } from '../manualClock';
import { bodyFaults } from '../ollama/bodyChecks';
import type { ChatMessage } from '../ollama/chatRequest';
import { OllamaServer } from '../ollama/ollamaServer';
import { testHost } from '../tools/testHost';
import { FoldedRecorder } from './foldedRecorder';
import { ALL_ALLOWED } from './leave';

/** The model of these turns: it can use tools and think. */
const THINKER = 'qwen3';
const SYSTEM = 'You are a test.';

/** A conversation with a scripted server over the real client, turn by turn. */
export class TurnTalk {
  readonly recorder = new FoldedRecorder();
  readonly clock = new ManualClock(1_000_000);
  #abort = new AbortController();
  /** Each question, with the number of requests before it. */
  readonly #questions: { readonly from: number; readonly question: string }[] = [];

  private constructor(
    readonly server: OllamaServer,
    private readonly special: Partial<TurnInput>,
  ) {}

  static async start(special: Partial<TurnInput> = {}): Promise<TurnTalk> {
    const server = await OllamaServer.start({
      models: [
        { name: THINKER, capabilities: ['completion', 'tools', 'thinking'] },
        { name: 'plain', capabilities: ['completion'] },
      ],
    });
    return new TurnTalk(server, special);
  }

  /** Asks, and resolves when the turn has ended. */
  async ask(question = 'Compare a.ts and b.ts.', special: Partial<TurnInput> = {}): Promise<void> {
    this.#questions.push({ from: this.server.chats.length, question });
    this.#abort = new AbortController();
    const seq = (this.messages.at(-1)?.seq ?? 0) + 1;
    const message: Message = {
      seq,
      role: 'user',
      status: 'done',
      createdAt: this.clock.now(),
      parts: [{ type: 'text', text: question }],
    };
    this.recorder.record({ type: 'message_added', message });
    await runTurn(this.#input(special), this.#abort.signal);
  }

  /** Goes on with the turn that was left open, and resolves when it has ended. */
  async resume(special: Partial<TurnInput> = {}): Promise<void> {
    this.#abort = new AbortController();
    await resumeTurn(this.#input(special), this.lastAnswer.seq, this.#abort.signal);
  }

  #input(special: Partial<TurnInput>): TurnInput {
    return {
      recorder: this.recorder,
      client: new OllamaClient(this.server.url, this.clock, silentLog),
      tools: toolsOf([]),
      clock: this.clock,
      model: THINKER,
      systemPrompt: SYSTEM,
      background: '',
      contextLength: 32_768,
      vision: false,
      leave: ALL_ALLOWED,
      ...this.special,
      ...special,
    };
  }

  stop(reason: AbortReason = 'stop'): void {
    this.#abort.abort(reason);
  }

  get messages(): readonly Message[] {
    return this.recorder.transcript.messages;
  }

  /** The answers, oldest first. */
  get answers(): readonly Message[] {
    return this.messages.filter((message) => message.role === 'assistant');
  }

  get lastAnswer(): Message {
    const last = this.answers.at(-1);
    if (last === undefined) throw new Error('there is no answer');
    return last;
  }

  /** A line for each answer: its word, its reason, and what is in it. */
  get told(): readonly string[] {
    return this.answers.map((message) => {
      const parts = message.parts.map((part) => {
        if (part.type === 'tool') return `${part.name}(${JSON.stringify(part.arguments)}) ${part.state}`;
        return part.type === 'thinking' || part.type === 'text' ? `${part.type} ${part.text}` : part.type;
      });
      return [`${messageWord(message)}${message.reason === undefined ? '' : ` ${message.reason}`}`, ...parts].join(
        ' | ',
      );
    });
  }

  /** The calls in the answers, oldest first. */
  get calls(): readonly ToolPart[] {
    return this.answers.flatMap((message) => message.parts.filter((part) => part.type === 'tool'));
  }

  /** The messages of the `index`th request, from the end if negative. */
  sent(index: number): readonly ChatMessage[] {
    const chat = this.server.chats.at(index);
    if (chat === undefined) throw new Error('there is no such request');
    return chat.chat.messages;
  }

  /** What is wrong with the bodies that were sent. */
  get faults(): readonly string[] {
    return bodyFaults(this.server.chats, (index) => ({
      system: SYSTEM,
      question: this.#questions.findLast(({ from }) => from <= index)?.question ?? '',
    }));
  }

  /** Waits until the turn pauses before another try, and lets the pause pass. */
  async letPausePass(attempt: number, ms: number): Promise<void> {
    await this.recorder.until(() => {
      const step = this.recorder.steps.at(-1);
      return step?.kind === 'retrying' && step.attempt === attempt;
    });
    // The pause begins right after it is shown.
    await Promise.resolve();
    this.clock.advance(ms);
  }
}

/** Tools of a turn as the editor gives them, over a folder that there is not. */
export function toolsOf(tools: readonly Tool[]): TurnTools {
  const registry = new ToolRegistry(tools, silentLog);
  return registry.bound(testHost('/nowhere'));
}
