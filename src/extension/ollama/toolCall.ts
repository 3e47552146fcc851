import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../protocol/part';
import { ARGUMENT_DEPTH, SERVER_WORDS_CHARS } from '../base/limits';
import { cutAt } from '../base/text';
import { isJsonObject, parseJson, stringIn } from './json';
import type { ModelToolCall } from './modelClient';

/** The calls in a record, wherever it stands in the stream. Anything that is no list of calls is none. */
export function readToolCalls(toolCalls: unknown): ModelToolCall[] {
  return Array.isArray(toolCalls) ? toolCalls.map((call: unknown) => readToolCall(call)) : [];
}

/** One call made regular: with an id, a name (empty if it has none) and an object of arguments. */
function readToolCall(call: unknown): ModelToolCall {
  const outer = isJsonObject(call) ? call : {};
  const called = isJsonObject(outer['function']) ? outer['function'] : {};
  return {
    id: (stringIn(outer['id']) ?? '').toWellFormed() || `call_${randomBytes(4).toString('hex')}`,
    name: (stringIn(called['name']) ?? '').toWellFormed().trim(),
    ...readArguments(called['arguments']),
  };
}

/** Proxies send arguments as JSON text, once or twice encoded, or as nothing at all. */
function readArguments(written: unknown): Pick<ModelToolCall, 'arguments' | 'malformed'> {
  let value = written;
  for (let times = 0; times < 2 && typeof value === 'string' && value.trim() !== ''; times += 1) {
    value = parseJson(value);
  }
  if (value === undefined && typeof written === 'string') return malformed(written);
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
    return { arguments: {} };
  }
  if (!isJsonObject(value) || depthOf(value) > ARGUMENT_DEPTH) return malformed(written);
  return { arguments: wellFormedValue(value) as JsonObject };
}

function malformed(written: unknown): Pick<ModelToolCall, 'arguments' | 'malformed'> {
  return { arguments: {}, malformed: cutAt(asText(written), SERVER_WORDS_CHARS).toWellFormed() };
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // Nested too deep to be written.
    return '';
  }
}

/** How deep `value` is nested, counted no further than the limit, without recursion. */
function depthOf(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0 && depth <= ARGUMENT_DEPTH) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      // One by one: spread into a call, a long list overflows the stack.
      for (const inner of Object.values(item)) next.push(inner);
    }
    level = next;
    depth += 1;
  }
  return depth;
}

/** The same value with well-formed keys and strings. Its depth is bounded. */
function wellFormedValue(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map((item: unknown) => wellFormedValue(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormedValue(item)]));
}
