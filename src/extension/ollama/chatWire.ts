import type {
  ChatRequest as WireRequest,
  GenerateRequest as WireLoad,
  Message as WireMessage,
  Tool as WireTool,
} from 'ollama/browser';
import type { ChatMessage, ChatRequest, LoadRequest, ThinkLevel, ToolDefinition } from './modelClient';

/**
 * Without these the server cuts a conversation that does not fit, without a word: with them it refuses the prompt, and
 * ends an answer where the window is full. Another `shift` than the loaded model's makes the server load it again.
 */
const WHOLE = { truncate: false, shift: false } as const;

/** The request as it goes over the wire: copies throughout, since the library changes what it is given. */
export function toWireRequest(request: ChatRequest): FullWireRequest {
  return {
    model: request.model,
    messages: request.messages.map(toWireMessage),
    stream: true,
    ...WHOLE,
    options: {
      num_ctx: request.contextLength,
      ...(request.maxTokens === undefined ? {} : { num_predict: request.maxTokens }),
    },
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toWireTool) }),
    ...(request.keepAlive === undefined ? {} : { keep_alive: toKeepAlive(request.keepAlive) }),
    ...(request.think === undefined ? {} : { think: request.think }),
  };
}

/** Loads a model as a chat would, so that the chat finds it as it needs it. */
export function toWireLoad(request: LoadRequest): WireLoad & typeof WHOLE & { stream: false } {
  return {
    model: request.model,
    prompt: '',
    stream: false,
    ...WHOLE,
    options: { num_ctx: request.contextLength },
    ...(request.keepAlive === undefined ? {} : { keep_alive: toKeepAlive(request.keepAlive) }),
  };
}

/** With what the library's types lack: it travels all the same. */
type FullWireRequest = Omit<WireRequest, 'think'> & typeof WHOLE & { stream: true; think?: boolean | ThinkLevel };

/** With the keys that the library's types lack: they travel all the same. */
type FullWireMessage = WireMessage & { tool_call_id?: string };

function toWireMessage(message: ChatMessage): FullWireMessage {
  return {
    role: message.role,
    content: message.content.toWellFormed(),
    ...(message.thinking === undefined ? {} : { thinking: message.thinking.toWellFormed() }),
    ...(message.images === undefined || message.images.length === 0 ? {} : { images: [...message.images] }),
    ...(message.toolCalls === undefined || message.toolCalls.length === 0
      ? {}
      : {
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            function: { name: call.name, arguments: { ...call.arguments } },
          })),
        }),
    ...(message.toolName === undefined ? {} : { tool_name: message.toolName }),
    ...(message.toolCallId === undefined ? {} : { tool_call_id: message.toolCallId }),
  };
}

function toWireTool(tool: ToolDefinition): WireTool {
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      // The library's type names a few keys of JSON Schema only.
      parameters: { ...tool.parameters } as NonNullable<WireTool['function']['parameters']>,
    },
  };
}

/** A text of digits alone is no duration to the server: plain seconds must be a number. */
function toKeepAlive(keepAlive: string): string | number {
  const text = keepAlive.trim();
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
