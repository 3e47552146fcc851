import type { ChatMessage, ChatRequest, OfferedTool } from './chatRequest';
import type { JsonValue } from './goJson';

/** A piece of a rendered prompt. A special token is one token whatever its name, and text never reaches over it. */
export type PromptPiece = { readonly special: string } | { readonly text: string };

const START = { special: '<|im_start|>' };
const END: readonly PromptPiece[] = [{ special: '<|im_end|>' }, { text: '\n' }];

const ABOUT_TOOLS = `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
`;
const ABOUT_CALLS = `</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>`;

/** The prompt that a model of the Qwen 3 family reads, piece by piece: ChatML with tools in the form of Hermes. */
export function promptOf(request: ChatRequest): readonly PromptPiece[] {
  const { messages, tools = [] } = request;
  const [first, ...later] = messages;
  const system = first?.role === 'system' ? first.content : undefined;
  const rest = system === undefined ? messages : later;
  const lastQuestion = rest.findLastIndex(({ role }) => role === 'user');
  return [
    ...opening(system, tools),
    ...rest.flatMap((message, place) => rendered(message, place, rest, lastQuestion)),
    START,
    { text: 'assistant\n' },
    ...(request.think === false ? thought('\n') : []),
  ];
}

/** What a model writes when it calls a tool. */
export function callText(call: { readonly name: string; readonly arguments: JsonValue }): readonly PromptPiece[] {
  const text = `\n{"name": ${JSON.stringify(call.name)}, "arguments": ${JSON.stringify(call.arguments)}}\n`;
  return [{ special: '<tool_call>' }, { text }, { special: '</tool_call>' }];
}

/** What a model writes when it has thought. */
export function thought(text: string): readonly PromptPiece[] {
  return [{ special: '<think>' }, { text: `\n${text.trim()}\n` }, { special: '</think>' }, { text: '\n\n' }];
}

function opening(system: string | undefined, tools: readonly OfferedTool[]): readonly PromptPiece[] {
  if (tools.length === 0) return system === undefined ? [] : [START, { text: `system\n${system}` }, ...END];
  const listed = tools.map((tool) => `${JSON.stringify(tool)}\n`).join('');
  const before = system === undefined ? '' : `${system}\n\n`;
  return [START, { text: `system\n${before}${ABOUT_TOOLS}${listed}${ABOUT_CALLS}` }, ...END];
}

function rendered(
  message: ChatMessage,
  place: number,
  all: readonly ChatMessage[],
  lastQuestion: number,
): readonly PromptPiece[] {
  switch (message.role) {
    case 'assistant':
      return answer(message, place > lastQuestion);
    case 'tool':
      return result(message, all[place - 1]?.role !== 'tool', all[place + 1]?.role !== 'tool');
    default:
      return [START, { text: `${message.role}\n${message.content}` }, ...END];
  }
}

/** Thinking is told again only within the loop of calls that it belongs to. */
function answer(message: ChatMessage, inLoop: boolean): readonly PromptPiece[] {
  const calls = (message.tool_calls ?? []).flatMap((call, index): readonly PromptPiece[] => [
    ...(index > 0 || message.content !== '' ? [{ text: '\n' }] : []),
    ...callText(call.function),
  ]);
  return [
    START,
    { text: 'assistant\n' },
    ...(inLoop && message.thinking !== undefined && message.thinking !== '' ? thought(message.thinking) : []),
    { text: message.content },
    ...calls,
    ...END,
  ];
}

/** Results are told as the person's: those of one answer in one message. */
function result(message: ChatMessage, isFirst: boolean, isLast: boolean): readonly PromptPiece[] {
  return [
    ...(isFirst ? [START, { text: 'user' }] : []),
    { text: '\n' },
    { special: '<tool_response>' },
    { text: `\n${message.content}\n` },
    { special: '</tool_response>' },
    ...(isLast ? END : []),
  ];
}
