import type { ChatMessage, ChatRequest } from './chatRequest';
import { callTool } from './chatStep';
import type { ChatStep } from './chatStep';
import type { ModelSpec } from './modelSet';
import type { ChatAnswerer } from './scriptQueue';
import { chooseChange, type PlannedCall } from './standInChange';
import { describeResults, longAnswer, plainAnswer } from './standInText';
import type { ToolResult } from './standInText';

/** The stand-in as a pulled model. Its name says what it is wherever models are listed. */
export const STAND_IN_MODEL: ModelSpec = {
  name: 'scripted-stand-in:latest',
  capabilities: ['completion', 'tools', 'thinking'],
  family: 'scripted',
  parameterSize: '0B',
  quantization: 'none',
  size: 1024,
};

const DEFAULT_TOKENS_PER_SECOND = 40;

/**
 * A model that is a script: it calls the tools it is offered, according to simple rules about the question, and
 * answers with what they returned. The same conversation always gets the same answer.
 * @param options `tokensPerSecond`: words per second, default 40; Infinity streams without pauses
 */
export function standInModel(options: { readonly tokensPerSecond?: number } = {}): ChatAnswerer {
  const pauseMs = 1000 / (options.tokensPerSecond ?? DEFAULT_TOKENS_PER_SECOND);
  return (request) => answer(request, pauseMs);
}

function* answer(request: ChatRequest, pauseMs: number): Generator<ChatStep> {
  const { question, results } = readTurn(request.messages);
  const offered = new Set(request.tools?.map((tool) => tool.function.name));
  const next = chooseCall(question, results, offered);
  const isThinking = request.think !== false;

  if (next) {
    if (isThinking) yield* stream('thinking', next.thought, pauseMs);
    yield callTool(next.name, next.args);
  } else if (results.length > 0) {
    if (isThinking) yield* stream('thinking', 'I have the results. I only need to repeat what is in them.', pauseMs);
    yield* stream('content', describeResults(results), pauseMs);
  } else {
    if (isThinking) yield* stream('thinking', 'No tool is needed for this.', pauseMs);
    yield* stream('content', wantsLongAnswer(question) ? longAnswer() : plainAnswer(question), pauseMs);
  }
}

function* stream(key: 'thinking' | 'content', text: string, pauseMs: number): Generator<ChatStep> {
  for (const [word] of text.matchAll(/\S+\s*/g)) {
    if (pauseMs > 0) yield { wait: pauseMs };
    yield key === 'thinking' ? { thinking: word } : { content: word };
  }
}

interface Turn {
  readonly question: string;
  readonly results: readonly ToolResult[];
}

/** The last question of the user and the tool results that came after it, each with the call it belongs to. */
function readTurn(messages: readonly ChatMessage[]): Turn {
  const start = messages.findLastIndex((message) => message.role === 'user');
  const after = messages.slice(start + 1);
  const calls = after.flatMap((message) => message.tool_calls ?? []);
  const results = after
    .filter((message) => message.role === 'tool')
    .map((message, position) => {
      const call = calls.find((one) => one.id !== undefined && one.id === message.tool_call_id) ?? calls[position];
      return {
        tool: message.tool_name ?? call?.function.name ?? 'a tool',
        args: call?.function.arguments ?? {},
        content: message.content,
      };
    });
  return { question: messages[start]?.content ?? '', results };
}

function chooseCall(question: string, results: readonly ToolResult[], offered: Set<string>): PlannedCall | undefined {
  const path = findPath(question);
  const change = chooseChange(question, path, results, offered);
  if (change !== undefined) return change;
  if (results.length > 0) return chooseSecondCall(results, offered);
  if (wantsLongAnswer(question)) return undefined;
  const words = findSearchedWords(question);
  // Quotation marks make the wish to search plain; without them a file name is the better clue.
  if (words && (words.isQuoted || path === undefined) && offered.has('search_text')) {
    return {
      thought: `The user looks for "${words.text}". I will search for it.`,
      name: 'search_text',
      args: { query: words.text, ...(path === undefined || path === words.text ? {} : { path }) },
    };
  }
  if (path !== undefined && offered.has('read_file')) {
    return { thought: `The user names ${path}. I will read that file.`, name: 'read_file', args: { path } };
  }
  if (offered.has('list_files')) {
    return { thought: 'I will first look at what is here.', name: 'list_files', args: { path: '.' } };
  }
  return undefined;
}

/** After a look at the folder it reads the read-me file, if there is one; it makes no third call to look around. */
function chooseSecondCall(results: readonly ToolResult[], offered: Set<string>): PlannedCall | undefined {
  const [only, ...more] = results;
  if (only?.tool !== 'list_files' || more.length > 0 || !offered.has('read_file')) return undefined;
  if (!/(?:^|[\s"'/])README\.md\b/m.test(only.content)) return undefined;
  return {
    thought: 'There is a README.md. It should say what this is about.',
    name: 'read_file',
    args: { path: 'README.md' },
  };
}

function wantsLongAnswer(question: string): boolean {
  return /\bslowly\b/i.test(question);
}

/** Something like `README.md` or `@src/a.ts`; not "e.g." or "i.e.", and not a part of a web address. */
function findPath(question: string): string | undefined {
  const candidates = question.matchAll(/(?<![\w./:-])(?:[\w.@-]+\/)*[\w@-][\w.@-]*\.[A-Za-z]\w{0,7}(?![\w/])/g);
  return [...candidates].map(([path]) => path.replace(/^@/, '')).find((path) => !/^(?:e\.g|i\.e)$/i.test(path));
}

function findSearchedWords(question: string): { readonly text: string; readonly isQuoted: boolean } | undefined {
  const verb = /\b(?:search|find|where)\b/i.exec(question);
  if (!verb) return undefined;
  const rest = question.slice(verb.index + verb[0].length);
  const quoted = /["'`“]([^"'`“”]+)["'`”]/.exec(rest)?.[1];
  if (quoted !== undefined) return { text: quoted, isQuoted: true };
  const plain = /\b(?!(?:are|does|for|all|the|out|how|what)\b)[\w$]{3,}/i.exec(rest)?.[0];
  return plain === undefined ? undefined : { text: plain, isQuoted: false };
}
