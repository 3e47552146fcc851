/**
 * Whether a server's `version` is `least` or newer; suffixes such as `-rc1` are ignored. A development build calls
 * itself 0.0.0 and has everything. A server that does not say (empty) is taken for an old one.
 */
export function isVersionAtLeast(version: string, least: string): boolean {
  if (version === '') return false;
  const have = numbersOf(version);
  if (have.every((number) => number === 0)) return true;
  for (const [index, wanted] of numbersOf(least).entries()) {
    const number = have[index] ?? 0;
    if (number !== wanted) return number > wanted;
  }
  return true;
}

function numbersOf(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part.replace(/^v/i, ''), 10) || 0);
}
