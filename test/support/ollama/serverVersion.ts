/**
 * True if `version` is `least` or newer; numbers are compared, suffixes ignored.
 * A development build calls itself 0.0.0 and has everything, so it counts as the newest.
 */
export function versionIsAtLeast(version: string, least: string): boolean {
  const numbers = parts(version);
  if (numbers.every((number) => number === 0)) return true;
  for (const [index, wanted] of parts(least).entries()) {
    const have = numbers[index] ?? 0;
    if (have !== wanted) return have > wanted;
  }
  return true;
}

function parts(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0);
}
