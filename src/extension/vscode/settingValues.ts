/**
 * What stands in a settings file is any JSON: the editor marks what does not fit the manifest, and hands it out all the
 * same. What cannot be meant counts as not set.
 */

/** Window (tokens) when the setting does not say: what an agent needs at least, and most machines can hold. */
const CONTEXT_LENGTH = { least: 2_048, usual: 32_768, most: 1_048_576 } as const;

/** Silence (s) in the middle of an answer after which it is given up. More than a day is more than a timer can count. */
const STALL_S = { usual: 300, most: 86_400 } as const;

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
  if (value === 0) return undefined;
  const seconds = typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : STALL_S.usual;
  return Math.min(seconds, STALL_S.most) * 1_000;
}
