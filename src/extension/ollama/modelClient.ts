import type { EndReason, Usage } from '../../protocol/message';
import type { JsonObject } from '../../protocol/part';
import type { ModelInfo } from '../../protocol/status';
import type { Result } from '../base/result';

/** One message of the model's history. Results of tools follow the assistant message with their calls, in its order. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of an assistant message: sent back only within the current tool loop (the caller decides). */
  readonly thinking?: string;
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

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Empty for a model without the ability: the server refuses the whole request otherwise. */
  readonly tools: readonly ToolDefinition[];
  /** Window (`num_ctx`) in tokens. Another value than the loaded one makes the server load the model again. */
  readonly contextLength: number;
  /** How long the server keeps the model loaded: "10m", "-1m", or plain seconds. Left to the server when absent. */
  readonly keepAlive?: string;
  /** `true` only for a model that is known to think: the server refuses it otherwise. Absent: the server's default. */
  readonly think?: boolean;
}

/**
 * Why no whole answer came.
 * - `unreachable`: no connection could be made.
 * - `cut_off`: there was a connection, and it ended before the answer did.
 * - `model_not_found`: the server does not have the model.
 * - `server_error`: the server, or something before it, said no, before or in the stream.
 * - `internal`: a fault of ours.
 */
export type ModelFailureReason = Extract<
  EndReason,
  'unreachable' | 'cut_off' | 'model_not_found' | 'server_error' | 'internal'
>;

export interface ModelFailure {
  readonly reason: ModelFailureReason;
  /** The server's own words where it said any, at most `SERVER_WORDS_CHARS`. For display on demand, never to be matched on. */
  readonly detail: string;
  /** HTTP status, when the server refused before the stream (400: it did not like the request; 500: try again). */
  readonly status?: number;
}

/** What a question about the server can end as, beside its answer. */
export type QuestionFailure = ModelFailure | { readonly reason: 'aborted'; readonly detail: '' };

/**
 * What a stream yields. Text is well-formed at every border: a character split over two records arrives whole.
 * Exactly one `end`, `failed` or `aborted` closes the stream, and it is the last event.
 */
export type ModelEvent =
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_call'; readonly call: ModelToolCall }
  | ModelClosing;

export type ModelClosing =
  | { readonly type: 'end'; readonly reason: 'stop' | 'length'; readonly usage: Usage }
  | { readonly type: 'failed'; readonly failure: ModelFailure }
  | { readonly type: 'aborted' };

/** What the server says a model can do; undefined where it says nothing (old servers), which is not "cannot". */
export interface ModelAbilities {
  readonly tools?: boolean;
  readonly thinking?: boolean;
  readonly vision?: boolean;
  /** The window the model was trained with, in tokens. Not the window it runs with. */
  readonly trainedContext?: number;
}

export interface ServerDescription {
  /** Empty when the server does not say. */
  readonly version: string;
  readonly models: readonly ModelInfo[];
}

/** A server of models. Nothing here throws: failures are events or values. */
export interface ModelClient {
  /**
   * One request. It leaves at the first `next()` and may be silent for minutes (queue, model load, prompt). The
   * connection is closed as soon as `signal` aborts, in every phase, and when the consumer leaves the loop.
   */
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Version and models. Bounded by `SERVER_QUESTION_MS`. */
  listModels(signal: AbortSignal): Promise<Result<ServerDescription, QuestionFailure>>;
  /** Abilities of one model. Bounded by `SERVER_QUESTION_MS`. */
  describe(model: string, signal: AbortSignal): Promise<Result<ModelAbilities, QuestionFailure>>;
}
