/** The beginning of a text that is too long to be shown at once. */
export interface Clipped {
  readonly text: string;
  readonly lines: number;
  /** Whether something is left out. */
  readonly cut: boolean;
  readonly shownLines: number;
}

/** Up to so many lines and UTF-16 units of `text`. */
export function clip(text: string, maxLines: number, maxChars: number): Clipped {
  let lines = 1;
  let end = text.length;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (lines === maxLines) end = at;
    lines += 1;
  }
  const cutAt = Math.min(end, maxChars);
  // Half of a pair would be shown as a box.
  const shown = cutAt < text.length && /[\uD800-\uDBFF]/.test(text.charAt(cutAt - 1)) ? cutAt - 1 : cutAt;
  return {
    text: text.slice(0, shown),
    lines,
    cut: shown < text.length,
    shownLines: Math.min(lines, maxLines),
  };
}
