/** A JSON value as it travels on the wire. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object; keys with the value undefined are left out of the text. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/**
 * Encodes as Go's encoder does: `<`, `>`, `&`, U+2028 and U+2029 are escaped, every other character beyond ASCII is
 * left as it is. These five can occur in JSON text only inside strings, so replacing them afterwards is safe.
 */
export function goJson(value: JsonObject): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What Go's decoder calls the type of a parsed JSON value in its error texts. */
export function goTypeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** True for a JSON object, false for null and arrays. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
