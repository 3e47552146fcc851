import { randomBytes } from 'node:crypto';
import { SERVER_WORDS_CHARS } from '../base/limits';
import { tamedJson } from '../base/tameJson';
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
  const tamed = tamedJson(value);
  return isJsonObject(tamed) ? { arguments: tamed } : malformed(written);
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
