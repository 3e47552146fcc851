const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/**
 * Reads a Go duration such as `10m`, `-1m` or `1h30m`.
 * Returns milliseconds, or undefined for a text that Go would refuse.
 */
export function parseGoDuration(text: string): number | undefined {
  const parts = /^([+-]?)((?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+|0)$/.exec(text);
  if (!parts) return undefined;
  let total = 0;
  for (const [, amount, unit] of (parts[2] ?? '').matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) {
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return parts[1] === '-' ? -total : total;
}
