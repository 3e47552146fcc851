import type { JsonObject } from '../../protocol/part';

/** A JSON object, not an array and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parsed text, or undefined when it is no JSON. JSON has no undefined of its own. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A count, size or duration; anything else is as good as absent. */
export function amountIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
