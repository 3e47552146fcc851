import type { JsonObject } from '../../protocol/part';
import type { ModelToolCall } from '../ollama/modelClient';
import { readToolCalls } from '../ollama/toolCall';

/** A call as it stands in a text. `args`: undefined where it has none. */
interface WrittenCall {
  readonly name: string;
  readonly args: unknown;
}

/**
 * The calls that a model wrote as the text of its answer, which the server did not recognise: as JSON, bare or fenced,
 * or in the tags of several families. Empty unless the whole text is calls and nothing else, and all of them are for
 * tools that there are: JSON within prose is an example, never a call.
 */
export function readTextCalls(text: string, isTool: (name: string) => boolean): readonly ModelToolCall[] {
  const written = callsIn(text.trim().replace(/^<\|python_tag\|>\s*/, ''));
  if (written === undefined || !written.every((call) => isTool(call.name))) return [];
  const calls = readToolCalls(written.map(({ name, args }) => ({ function: { name, arguments: args } })));
  return calls.every((call) => call.malformed === undefined) ? calls : [];
}

/** Whether a text that was cut off stands in the middle of a call to one of `tools`. */
export function isHalfCall(text: string, tools: readonly string[]): boolean {
  const open = Math.max(...OPENINGS.map((opening) => text.lastIndexOf(opening)));
  const begins = /^\s*(?:```\w*\s*)?(?:\[\s*)?\{\s*"(?:name|tool|tool_name|function|type)"\s*:/.test(text);
  if (open < 0 && !begins) return false;
  const rest = begins ? text : text.slice(open);
  return !CLOSING.test(rest) && tools.some((name) => rest.includes(name));
}

const OPENINGS = ['<tool_call>', '<function=', '[TOOL_CALLS]'];
const CLOSING = /<\/tool_call>\s*$|<\/function>\s*$|```\s*$/;

/** Undefined when the text is anything else. */
function callsIn(text: string): readonly WrittenCall[] | undefined {
  if (text.startsWith('```')) return fencedCalls(text);
  if (text.startsWith('<tool_call>')) return taggedCalls(text);
  if (text.startsWith('<function=')) return functionCalls(text);
  if (text.startsWith('[TOOL_CALLS]')) return listedCalls(text);
  if (text.startsWith('{') || text.startsWith('[')) return jsonCalls(text, false);
  return undefined;
}

/** One or more blocks of code that hold calls, with nothing between them. */
function fencedCalls(text: string): readonly WrittenCall[] | undefined {
  return sequence(text, (rest) => {
    const block = /^```(?:json|tool_call|tool_calls|xml)?[ \t]*\r?\n([\s\S]*?)```(?=\s|$)/.exec(rest);
    const inner = block?.[1]?.trim();
    if (block === null || inner === undefined || inner.startsWith('```')) return undefined;
    return found(callsIn(inner), block[0].length);
  });
}

/** `<tool_call>…</tool_call>`, again and again. Models forget the last closing tag. */
function taggedCalls(text: string): readonly WrittenCall[] | undefined {
  return sequence(text, (rest) => {
    if (!rest.startsWith('<tool_call>')) return undefined;
    const from = '<tool_call>'.length;
    // The closing tag may also stand in a text among the arguments.
    for (let end = rest.indexOf('</tool_call>'); end >= 0; end = rest.indexOf('</tool_call>', end + 1)) {
      const calls = taggedCall(rest.slice(from, end).trim());
      if (calls !== undefined) return { calls, length: end + '</tool_call>'.length };
    }
    return found(taggedCall(rest.slice(from).trim()), rest.length);
  });
}

function taggedCall(inner: string): readonly WrittenCall[] | undefined {
  return inner.startsWith('<function=') ? functionCalls(inner) : jsonCalls(inner, true);
}

/** `<function=name><parameter=key>value</parameter></function>`, again and again. */
function functionCalls(text: string): readonly WrittenCall[] | undefined {
  return sequence(text, (rest) => {
    const head = /^<function=([^<>]+)>\s*/.exec(rest);
    if (head === null) return undefined;
    const parameters: [string, string][] = [];
    let length = head[0].length;
    for (;;) {
      const parameter = PARAMETER.exec(rest.slice(length));
      if (parameter === null) break;
      parameters.push([(parameter[1] ?? '').trim(), parameter[2] ?? '']);
      length += parameter[0].length;
    }
    const tail = /^(?:<\/function>|$)/.exec(rest.slice(length));
    if (tail === null) return undefined;
    const calls = [{ name: (head[1] ?? '').trim(), args: Object.fromEntries(parameters) }];
    return { calls, length: length + tail[0].length };
  });
}

const PARAMETER = /^<parameter=([^<>]+)>(?:\r?\n)?([\s\S]*?)(?:\r?\n)?<\/parameter>\s*/;

/** `[TOOL_CALLS][{…}]`, or `[TOOL_CALLS]name[ARGS]{…}` again and again. */
function listedCalls(text: string): readonly WrittenCall[] | undefined {
  const items = text.split('[TOOL_CALLS]').slice(1);
  const calls = items.map((item): readonly WrittenCall[] | undefined => {
    const named = /^\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(\{[\s\S]*\})\s*$/.exec(item);
    if (named === null) return jsonCalls(item.trim(), true);
    const args = parsed(named[2] ?? '');
    return isObject(args) ? [{ name: named[1] ?? '', args }] : undefined;
  });
  return calls.some((each) => each === undefined) ? undefined : calls.flatMap((each) => each ?? []);
}

/** One call, a list of calls, or a call in each line. `marked`: a tag says that it is one, so that it may be without arguments. */
function jsonCalls(text: string, marked: boolean): readonly WrittenCall[] | undefined {
  const whole = parsed(text);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const texts = lines.map((line, index) => (index < lines.length - 1 ? line.replace(/[;,]\s*$/, '') : line));
  const items = whole === undefined ? texts.map(parsed) : [whole].flat();
  const calls = items.map((item) => jsonCall(item, marked));
  return calls.length === 0 || calls.includes(undefined) ? undefined : calls.flatMap((call) => call ?? []);
}

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function'];
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input'];
const OTHER_KEYS = ['id', 'type', 'index'];

/** A call, when the object is nothing else. */
function jsonCall(value: unknown, marked: boolean): WrittenCall | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  if (!keys.every((key) => [...NAME_KEYS, ...ARGUMENT_KEYS, ...OTHER_KEYS].includes(key))) return undefined;
  const inner = value['function'];
  if (isObject(inner)) return 'name' in value ? undefined : jsonCall(inner, marked);
  const [nameKey, ...otherNames] = keys.filter((key) => NAME_KEYS.includes(key));
  const [argumentKey, ...otherArguments] = keys.filter((key) => ARGUMENT_KEYS.includes(key));
  const name = nameKey === undefined ? undefined : value[nameKey];
  if (typeof name !== 'string' || otherNames.length > 0 || otherArguments.length > 0) return undefined;
  if (argumentKey === undefined) return marked ? { name, args: undefined } : undefined;
  return { name, args: value[argumentKey] };
}

interface Found {
  readonly calls: readonly WrittenCall[];
  /** How much of the text they take. */
  readonly length: number;
}

function found(calls: readonly WrittenCall[] | undefined, length: number): Found | undefined {
  return calls === undefined ? undefined : { calls, length };
}

/** Reads one thing after the other until nothing but blanks is left; undefined when something else is met. */
function sequence(text: string, next: (rest: string) => Found | undefined): readonly WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const step = next(rest);
    if (step === undefined) return undefined;
    calls.push(...step.calls);
    rest = rest.slice(step.length).trimStart();
  }
  return calls.length === 0 ? undefined : calls;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
