import type { ChatRequest } from './chatRequest';
import type { ChatScript, ChatStep, DeltaStep, DoneFields, ToolCall, TransportStep } from './chatStep';
import { Framer } from './framing';
import { goJson } from './goJson';
import type { JsonObject } from './goJson';
import type { HttpReply } from './httpReply';
import { MergedRecord } from './mergedRecord';
import type { InstalledModel } from './modelSet';
import { callText, thought } from './promptText';
import type { TokenCount } from './tokenCount';
import { OBJECT_FORM, playTransport, STREAM_FORM } from './transportPlayer';

const PROMPT_TOKEN_NS = 5_000_000;
const TOKEN_NS = 25_000_000;

/** What the records of an answer are made of, besides its steps. */
export interface ChatSetting {
  readonly request: ChatRequest;
  readonly model: InstalledModel;
  readonly promptTokens: number;
  /** Tokens of prompt and answer together at which generation ends; Infinity where old context makes room. */
  readonly contextLength: number;
  /** Counts the tokens of the answer. */
  readonly tokens: TokenCount;
  readonly loadNanoseconds: number;
  readonly now: () => Date;
  /** The id of the next tool call; undefined on servers too old to have ids. */
  readonly nextCallId: () => string | undefined;
}

/** Plays the steps of one answer as a stream, or as one merged record if the request says `stream: false`. */
export class ChatPlayer {
  private framer = new Framer({});
  private callCount = 0;
  private callsForDone: JsonObject[] = [];
  private content = '';
  /** Counted piece by piece: a model makes its answer so. */
  private streamedTokens = 0;
  private thinking = '';
  private callTokens = 0;
  private isDone = false;
  /** Undefined for a stream. */
  private readonly merged: MergedRecord | undefined;

  constructor(
    private readonly reply: HttpReply,
    private readonly setting: ChatSetting,
  ) {
    this.merged = setting.request.stream === false ? new MergedRecord() : undefined;
  }

  /** Plays all steps and ends the reply, with a computed `done` record if the script has no end of its own. */
  async play(script: ChatScript): Promise<void> {
    const iterator = Symbol.asyncIterator in script ? script[Symbol.asyncIterator]() : script[Symbol.iterator]();
    const left = this.reply.gone.opened.then(() => undefined);
    for (;;) {
      const next = await Promise.race([iterator.next(), left]);
      if (next === undefined || this.reply.gone.isOpen) {
        abandon(iterator);
        return;
      }
      if (next.done) break;
      if ((await this.perform(next.value)) === 'over') {
        abandon(iterator);
        return;
      }
      if (this.isDone && this.isWindowFull) {
        abandon(iterator);
        break;
      }
    }
    if (!this.isDone) await this.finish({});
    await this.flush();
    if (this.merged) this.reply.json(200, this.merged.toJson());
    else this.reply.end();
  }

  private async perform(step: ChatStep): Promise<'continues' | 'over'> {
    if ('framing' in step) {
      await this.flush();
      this.framer = new Framer(step.framing);
    } else if ('record' in step) {
      await this.send(step.record);
    } else if ('done' in step) {
      await this.finish(step.done);
    } else if (isTransport(step)) {
      return this.transport(step);
    } else {
      await this.sendDelta(step);
    }
    return 'continues';
  }

  private async transport(step: TransportStep): Promise<'continues' | 'over'> {
    await this.flush();
    if (this.merged) {
      // Ollama protocol: nothing but the merged record is sent, so a cut-off answer looks like a whole one.
      if ('eof' in step) {
        this.reply.json(200, this.merged.toJson());
        return 'over';
      }
      return playTransport(step, this.reply, OBJECT_FORM);
    }
    const { lineEnd = '\n', finalNewline = true } = this.framer.framing;
    return playTransport(step, this.reply, { ...STREAM_FORM, lineEnd: finalNewline ? lineEnd : '' });
  }

  private async sendDelta(step: DeltaStep): Promise<void> {
    const { content = '', thinking = '', toolCalls = [], inDone = false } = step;
    const calls = toolCalls.map((call) => this.encodeCall(call));
    this.content += content;
    this.thinking += thinking;
    this.streamedTokens += this.setting.tokens.countTokens(content) + this.setting.tokens.countTokens(thinking);
    if (inDone) {
      this.callsForDone.push(...calls);
      if (content === '' && thinking === '') return;
    }
    await this.send(this.buildRecord(content, thinking, inDone ? [] : calls, { done: false }));
    if (!this.isWindowFull) return;
    const { promptTokens, contextLength } = this.setting;
    await this.finish({ done_reason: 'length', eval_count: contextLength - promptTokens });
  }

  private get isWindowFull(): boolean {
    const { promptTokens, contextLength } = this.setting;
    return promptTokens + this.streamedTokens + this.callTokens >= contextLength;
  }

  private async finish(fields: DoneFields): Promise<void> {
    const { promptTokens, loadNanoseconds } = this.setting;
    const tokens = this.countAnswer();
    const promptDuration = promptTokens * PROMPT_TOKEN_NS;
    const duration = tokens * TOKEN_NS;
    const all: Required<DoneFields> = {
      done_reason: 'stop',
      total_duration: loadNanoseconds + promptDuration + duration,
      load_duration: loadNanoseconds,
      prompt_eval_count: promptTokens,
      prompt_eval_duration: promptDuration,
      eval_count: tokens,
      eval_duration: duration,
      ...fields,
    };
    const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0 && value !== ''));
    await this.send(this.buildRecord('', '', this.callsForDone, { done: true, ...present }));
  }

  /** As the model wrote it: thinking in its tags, then the text, then the calls. */
  private countAnswer(): number {
    const { tokens } = this.setting;
    const thinking = this.thinking === '' ? 0 : tokens.countPieces(thought(this.thinking));
    return thinking + tokens.countTokens(this.content) + this.callTokens;
  }

  private buildRecord(content: string, thinking: string, calls: readonly JsonObject[], rest: JsonObject): JsonObject {
    const { request, model, now } = this.setting;
    return {
      model: request.model,
      remote_model: model.remoteModel,
      remote_host: model.remoteHost,
      created_at: now().toISOString(),
      message: {
        role: 'assistant',
        content,
        thinking: thinking === '' ? undefined : thinking,
        tool_calls: calls.length === 0 ? undefined : calls,
      },
      ...rest,
    };
  }

  private encodeCall(call: ToolCall): JsonObject {
    const id = call.id ?? this.setting.nextCallId();
    const called = { index: call.index ?? this.callCount, name: call.name, arguments: call.arguments };
    this.callTokens += this.setting.tokens.countPieces(callText(call));
    this.callCount += 1;
    return { id: id === '' ? undefined : id, function: called };
  }

  private async send(record: JsonObject): Promise<void> {
    if (record['done'] === true) this.isDone = true;
    if (this.merged) this.merged.add(record);
    else await this.write(this.framer.push(goJson(record), this.isDone));
  }

  private async flush(): Promise<void> {
    await this.write(this.framer.flush());
  }

  private async write(writes: readonly Buffer[]): Promise<void> {
    for (const bytes of writes) await this.reply.stream(bytes, STREAM_FORM.type);
  }
}

/** Not awaited: a generator may hang in an await of its own, which is why the client is raced against it. */
function abandon(iterator: Iterator<ChatStep> | AsyncIterator<ChatStep>): void {
  void Promise.resolve(iterator.return?.()).catch(() => undefined);
}

const TRANSPORT_KEYS = ['wait', 'until', 'error', 'status', 'eof', 'reset', 'raw'];

function isTransport(step: TransportStep | DeltaStep): step is TransportStep {
  return TRANSPORT_KEYS.some((key) => key in step);
}
