/** Where a key goes in a list of `count` options; undefined when it is not one that moves. */
export function movedBy(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.max(0, Math.min(from + 1, count - 1));
    case 'ArrowUp':
      return Math.max(from - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return Math.max(0, count - 1);
    default:
      return undefined;
  }
}
