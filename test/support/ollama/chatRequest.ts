import { goTypeName, isJsonObject } from './goJson';
import type { JsonObject } from './goJson';
import { versionIsAtLeast } from './serverVersion';

/** A tool call inside a message of the history, as a client sends it. */
export interface SentToolCall {
  readonly id?: string;
  readonly function: { readonly name: string; readonly arguments: JsonObject; readonly index?: number };
}

/** One message of a chat request. */
export interface ChatMessage {
  readonly role: string;
  readonly content: string;
  readonly thinking?: string;
  readonly images?: readonly string[];
  readonly tool_calls?: readonly SentToolCall[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

/** A tool definition that a client offers. */
export interface OfferedTool {
  readonly type: string;
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: JsonObject };
}

/** The body of a `POST /api/chat` that passed the checks of its shape. Absent messages are an empty list. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean;
  readonly tools?: readonly OfferedTool[];
  readonly think?: boolean | string;
  readonly format?: string | JsonObject;
  readonly options?: JsonObject;
  /** Seconds, or a Go duration. */
  readonly keep_alive?: number | string;
  readonly truncate?: boolean;
  readonly shift?: boolean;
}

/** Why a request is answered with an error before anything runs. */
export interface Refusal {
  readonly ok: false;
  readonly status: number;
  readonly error: string;
}

/** Builds a refusal. */
export function refuse(status: number, error: string): Refusal {
  return { ok: false, status, error };
}

/** Reads the body of a chat request; what Go's decoder would refuse is refused with its text (Ollama protocol: status 400). */
export function readChatRequest(
  bodyText: string,
  version: string,
): { readonly ok: true; readonly request: ChatRequest } | Refusal {
  const parsed = parseBody(bodyText);
  if (!parsed.ok) return parsed;
  const error = findShapeError(parsed.body, version);
  if (error !== undefined) return refuse(400, error);
  const messages = arrayOf(parsed.body['messages']).map((message) => ({
    role: '',
    content: '',
    ...withoutNulls(message),
  }));
  // The checks above established the shape that the type states.
  return { ok: true, request: { ...withoutNulls(parsed.body), messages } as unknown as ChatRequest };
}

/** Parses a request body that must be a JSON object. */
export function parseBody(bodyText: string): { readonly ok: true; readonly body: JsonObject } | Refusal {
  if (bodyText.trim() === '') return refuse(400, 'missing request body');
  let body: unknown;
  try {
    body = JSON.parse(bodyText);
  } catch {
    const first = bodyText.trim().charAt(0);
    return refuse(
      400,
      /["{[\dtfn-]/.test(first) ? 'unexpected EOF' : `invalid character '${first}' looking for beginning of value`,
    );
  }
  if (isJsonObject(body)) return { ok: true, body };
  return refuse(400, `json: cannot unmarshal ${goTypeName(body)} into Go value of type api.ChatRequest`);
}

/** The Go name of the wanted type for each field whose type a client can get wrong. */
const FIELD_TYPES: readonly (readonly [field: string, kind: string, goType: string])[] = [
  ['model', 'string', 'string'],
  ['messages', 'array', '[]api.Message'],
  ['stream', 'bool', 'bool'],
  ['tools', 'array', 'api.Tools'],
  ['options', 'object', 'map[string]interface {}'],
  ['truncate', 'bool', 'bool'],
  ['shift', 'bool', 'bool'],
];

const MESSAGE_FIELD_TYPES: readonly (readonly [field: string, kind: string, goType: string])[] = [
  ['role', 'string', 'string'],
  ['content', 'string', 'string'],
  ['thinking', 'string', 'string'],
  ['images', 'array', '[]api.ImageData'],
  ['tool_calls', 'array', '[]api.ToolCall'],
  ['tool_name', 'string', 'string'],
  ['tool_call_id', 'string', 'string'],
];

function findShapeError(body: JsonObject, version: string): string | undefined {
  for (const [field, kind, goType] of FIELD_TYPES) {
    const error = mismatch(body[field], kind, field, goType);
    if (error !== undefined) return error;
  }
  for (const message of arrayOf(body['messages'])) {
    const error = findMessageError(message);
    if (error !== undefined) return error;
  }
  for (const tool of arrayOf(body['tools'])) {
    const error = mismatch(tool, 'object', 'tools', 'api.Tool');
    if (error !== undefined) return error;
  }
  return findThinkError(body['think'], version);
}

function findMessageError(message: unknown): string | undefined {
  if (!isJsonObject(message)) return mismatch(message, 'object', 'messages', 'api.Message');
  for (const [field, kind, goType] of MESSAGE_FIELD_TYPES) {
    const error = mismatch(message[field], kind, `messages.${field}`, goType);
    if (error !== undefined) return error;
  }
  for (const image of arrayOf(message['images'])) {
    const error = mismatch(image, 'string', 'messages.images', 'api.ImageData') ?? findBase64Error(String(image));
    if (error !== undefined) return error;
  }
  for (const call of arrayOf(message['tool_calls'])) {
    const called = isJsonObject(call) ? call['function'] : undefined;
    const path = 'messages.tool_calls';
    const error =
      mismatch(call, 'object', path, 'api.ToolCall') ??
      mismatch(called, 'object', `${path}.function`, 'api.ToolCallFunction') ??
      (isJsonObject(called)
        ? mismatch(called['arguments'], 'object', `${path}.function.arguments`, 'api.ToolCallFunctionArguments')
        : undefined);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Go takes null and an absent key for the zero value of any type. */
function mismatch(value: unknown, kind: string, path: string, goType: string): string | undefined {
  if (value === undefined || value === null || goTypeName(value) === kind) return undefined;
  return `json: cannot unmarshal ${goTypeName(value)} into Go struct field ChatRequest.${path} of type ${goType}`;
}

function findBase64Error(image: string): string | undefined {
  const bad = /[^A-Za-z0-9+/=]/.exec(image);
  return bad ? `illegal base64 data at input byte ${bad.index}` : undefined;
}

function findThinkError(think: unknown, version: string): string | undefined {
  if (think === undefined || think === null || typeof think === 'boolean') return undefined;
  const levels = versionIsAtLeast(version, '0.22.0') ? ['high', 'medium', 'low', 'max'] : ['high', 'medium', 'low'];
  const choice = levels.map((level) => `"${level}", `).join('');
  if (typeof think !== 'string') return `think must be a boolean or string (${choice}true, or false)`;
  if (levels.includes(think)) return undefined;
  return `invalid think value: ${JSON.stringify(think)} (must be ${choice}true, or false)`;
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function withoutNulls(value: unknown): JsonObject {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}
