import type { ServerFault, Usage } from '../../protocol/message';
import type { JsonObject } from '../../protocol/part';
import type { LoadedModel, ModelAbilities, ModelInfo, WaitPhase } from '../../protocol/status';
import type { Result } from '../base/result';

/** One message of the model's history. Results of tools follow the assistant message with their calls, in its order. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of an assistant message: sent back only within the current tool loop (the caller decides). */
  readonly thinking?: string;
  /** Of a user message or a tool's result, for models that see: standard base64 without a prefix. */
  readonly images?: readonly string[];
  readonly toolCalls?: readonly ModelToolCall[];
  /** Of a tool message: whose result it is. Both are sent, since servers differ in which one they pair by. */
  readonly toolName?: string;
  readonly toolCallId?: string;
}

/** A call as the model made it. */
export interface ModelToolCall {
  /** The server's id, or one made here. Servers repeat ids: never key on it. */
  readonly id: string;
  /** Empty when the model named no function: answer it with an error like any unknown tool. */
  readonly name: string;
  /** Always an object of well-formed text; `{}` when `malformed`. */
  readonly arguments: JsonObject;
  /** What the model wrote instead of an arguments object, cut. The model should be told, so that it can correct itself. */
  readonly malformed?: string;
}

/** A tool as the model is told of it. `parameters` is a JSON Schema of type object. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** How hard a model thinks, for the families that know levels. */
export type ThinkLevel = 'low' | 'medium' | 'high' | 'max';

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Empty for a model without the ability: the server refuses the whole request otherwise. */
  readonly tools: readonly ToolDefinition[];
  /** Window (`num_ctx`) in tokens. Another value than the loaded one makes the server load the model again. */
  readonly contextLength: number;
  /** How long the server keeps the model loaded: "10m", "-1m", or plain seconds. Left to the server when absent. */
  readonly keepAlive?: string;
  /** Truthy only for a model that is known to think: the server refuses it otherwise. Absent: the server's default. */
  readonly think?: boolean | ThinkLevel;
  /** Longest answer (`num_predict`) in tokens, thinking included. Absent: until the model stops or the window is full. */
  readonly maxTokens?: number;
}

export interface ModelFailure {
  readonly reason: ServerFault | 'internal';
  /** The server's own words where it said any, at most `SERVER_WORDS_CHARS`. For display on demand, never to be matched on. */
  readonly detail: string;
  /** HTTP status, when the server refused before the stream (400: it did not like the request; 500: try again). */
  readonly status?: number;
  /** How long (ms) the server wants to be left alone before the next try. */
  readonly retryAfterMs?: number;
}

/** What a question about the server can end as, beside its answer. */
export type QuestionFailure = ModelFailure | { readonly reason: 'aborted'; readonly detail: '' };

/**
 * What a stream yields. Text is well-formed at every border: a character split over two records arrives whole.
 * Exactly one `end`, `failed` or `aborted` closes the stream, and it is the last event.
 */
export type ModelEvent =
  /** Only before the first piece of the answer; comes again when the phase changes. */
  | { readonly type: 'waiting'; readonly phase: WaitPhase }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  /**
   * All text since the reply began, or since its last call, was thinking: some models leave out the tag that opens it,
   * so that only its end tells.
   */
  | { readonly type: 'text_was_thinking' }
  | { readonly type: 'tool_call'; readonly call: ModelToolCall }
  | ModelClosing;

export type ModelClosing =
  | { readonly type: 'end'; readonly reason: 'stop' | 'length'; readonly usage: Usage }
  | { readonly type: 'failed'; readonly failure: ModelFailure }
  | { readonly type: 'aborted' };

export interface ServerDescription {
  /** Empty when the server does not say. */
  readonly version: string;
  readonly models: readonly ModelInfo[];
}

/**
 * How far the server is with getting a model. A model comes in layers, one after the other; `completed` and `total` are
 * bytes of the layer named by `digest`. Exactly one `done`, `failed` or `aborted` closes the stream.
 */
export type PullEvent =
  | {
      readonly type: 'progress';
      /** The server's own word for what it does. */
      readonly status: string;
      readonly digest?: string;
      readonly completed?: number;
      readonly total?: number;
    }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly failure: ModelFailure }
  | { readonly type: 'aborted' };

/** A server of models. Nothing here throws: failures are events or values. */
export interface ModelClient {
  /**
   * One request. It leaves at the first `next()` and may be silent for minutes (queue, model load, prompt). A prompt
   * that does not fit is refused (`overflow`), an answer that fills the window ends with `length`: nothing is cut. The
   * connection is closed as soon as `signal` aborts, in every phase, and when the consumer leaves the loop.
   */
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /**
   * Version and models. Bounded by `SERVER_QUESTION_MS`, and by `MODEL_QUESTIONS_MS` more where the server has to be
   * asked for the abilities of each model: what it does not say by then is undefined, and asked for the next time.
   */
  listModels(signal: AbortSignal): Promise<Result<ServerDescription, QuestionFailure>>;
  /** Abilities of one model. Bounded by `SERVER_QUESTION_MS`. */
  describe(model: string, signal: AbortSignal): Promise<Result<ModelAbilities, QuestionFailure>>;
  /** Models in memory now, with the window that each runs with. Bounded by `SERVER_QUESTION_MS`. */
  listLoaded(signal: AbortSignal): Promise<Result<readonly LoadedModel[], QuestionFailure>>;
  /** Makes the server get a model. Closing the connection pauses it: a later pull goes on where this one stopped. */
  pull(model: string, signal: AbortSignal): AsyncIterable<PullEvent>;
  /** Reads a model into memory, which may take minutes. The window must be the one that its requests ask for. */
  load(request: LoadRequest, signal: AbortSignal): Promise<Result<undefined, QuestionFailure>>;
  /** Takes a model out of memory. */
  unload(model: string, signal: AbortSignal): Promise<Result<undefined, QuestionFailure>>;
}

export type LoadRequest = Pick<ChatRequest, 'model' | 'contextLength' | 'keepAlive'>;
