/**
 * Shares `room` among those who want so much each: who wants less than an even part gets all of it, and what is left
 * is shared by the others. The answer is in the order of `wants`; its sum is `room` at most.
 */
export function fairShares(wants: readonly number[], room: number): readonly number[] {
  const shares = wants.map(() => 0);
  let left = Math.max(0, room);
  const rising = wants.map((want, index) => ({ want, index })).toSorted((one, other) => one.want - other.want);
  for (const [served, { want, index }] of rising.entries()) {
    const share = Math.min(want, Math.floor(left / (rising.length - served)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
