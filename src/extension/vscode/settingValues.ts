/**
 * What stands in a settings file is any JSON: the editor marks what does not fit the manifest, and hands it out all the
 * same. What cannot be meant counts as not set.
 */

/** Window (tokens) when the setting does not say: what an agent needs at least, and most machines can hold. */
const CONTEXT_LENGTH = { least: 2_048, usual: 32_768, most: 1_048_576 } as const;

/** Longest silence (s) that can be asked for: a timer cannot count for more than some weeks. */
const STALL_MOST_S = 86_400;

/** Without spaces around it; empty: not set. */
export function textSetting(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** How long a model stays in memory, as it is written; a number is as good as its digits. */
export function keepAliveSetting(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : textSetting(value);
  return text === '' ? undefined : text;
}

/** Window in tokens. */
export function contextLengthSetting(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < CONTEXT_LENGTH.least)
    return CONTEXT_LENGTH.usual;
  return Math.min(value, CONTEXT_LENGTH.most);
}

/** Milliseconds of silence; undefined: without a limit. */
export function stallSetting(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  return Math.min(value, STALL_MOST_S) * 1_000;
}

/** Names, each once. */
export function namesSetting(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value.map(textSetting).filter((name) => name !== ''))];
}
