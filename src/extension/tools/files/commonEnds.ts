/** How many elements two lists have in common at their beginnings and, of the rest, at their ends. */
export function commonEnds<T>(
  one: ArrayLike<T>,
  other: ArrayLike<T>,
): { readonly start: number; readonly end: number } {
  const shared = Math.min(one.length, other.length);
  let start = 0;
  while (start < shared && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shared - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return { start, end };
}
