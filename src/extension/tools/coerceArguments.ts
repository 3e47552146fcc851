import type { JsonObject } from '../../protocol/part';
import { tamedJson } from '../base/tameJson';

/** Keys that models put around their arguments. */
const WRAPPERS: readonly string[] = ['arguments', 'parameters', 'args', 'input'];

/**
 * Arguments with cheap repairs only, by the JSON Schema they are meant for: a number or boolean written as text, text
 * where JSON was meant, a single value where a list is wanted, `null` for what may be absent, a wrapper around
 * everything, be it empty. What cannot be repaired stays as it is: nothing is guessed. Repairing twice changes nothing more.
 */
export function coerceArguments(args: JsonObject, parameters: JsonObject): JsonObject {
  const properties = objectIn(parameters['properties']);
  const required = Array.isArray(parameters['required']) ? (parameters['required'] as readonly unknown[]) : [];
  return Object.fromEntries(
    Object.entries(unwrapped(args, properties)).flatMap(([key, value]) => {
      if (value === null && !required.includes(key)) return [];
      return [[key, coerced(value, objectIn(properties[key])['type'])]];
    }),
  );
}

function unwrapped(args: JsonObject, properties: JsonObject): JsonObject {
  let given = args;
  for (;;) {
    const [key, ...others] = Object.keys(given);
    if (key === undefined || others.length > 0 || key in properties || !WRAPPERS.includes(key)) return given;
    // Proxies encode arguments once or twice.
    const inner = parsed(parsed(given[key]));
    if (inner === null || (typeof inner === 'string' && inner.trim() === '')) return {};
    if (!isJsonObject(inner)) return given;
    given = inner;
  }
}

function coerced(value: unknown, type: unknown): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value;
    case 'boolean': {
      const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
      return word === 'true' ? true : word === 'false' ? false : value;
    }
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    case 'array': {
      const list = parsed(value);
      if (Array.isArray(list)) return list as readonly unknown[];
      return isJsonObject(value) || value === undefined || value === null ? value : [value];
    }
    case 'object': {
      const object = parsed(value);
      return isJsonObject(object) ? object : value;
    }
    default:
      return value;
  }
}

/** JSON in a text, or the value itself. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return tamedJson(JSON.parse(value)) ?? value;
  } catch {
    return value;
  }
}

function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
