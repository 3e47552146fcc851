/** The code of a failure of the system, such as `ENOENT`; `unknown` when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
