/** Marks a place that the compiler knows to be out of reach. Throws when data from outside gets there all the same. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
