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

/** A text that is too long to be shown at once, without its middle. `left`: lines that are left out there. */
export interface ClippedMiddle {
  readonly text: string;
  readonly cut: boolean;
  readonly left: number;
}

/** Beginning and end of `text` with up to so many lines and UTF-16 units in all; the end, which says most, has more. */
export function clipMiddle(text: string, maxLines: number, maxChars: number): ClippedMiddle {
  const lines = text.split('\n');
  if (lines.length <= maxLines && text.length <= maxChars) return { text, cut: false, left: 0 };
  const head = fitting(lines.slice(0, Math.floor(maxLines / 4)), maxChars / 4, (one) => one);
  const rest = lines.slice(head.length);
  const tail = fitting(rest.slice(-Math.ceil((maxLines * 3) / 4)), (maxChars * 3) / 4, (one) => one.toReversed());
  const left = lines.length - head.length - tail.length;
  // One line alone may be longer than all that is shown.
  if (tail.length === 0) return { text: clip(text, maxLines, maxChars).text, cut: true, left };
  return { text: [...head, '⋯', ...tail].join('\n'), cut: true, left };
}

/** The lines, taken in an order, that fit into so many UTF-16 units. */
function fitting(
  lines: readonly string[],
  maxChars: number,
  ordered: (lines: readonly string[]) => readonly string[],
): readonly string[] {
  const kept: string[] = [];
  let chars = 0;
  for (const line of ordered(lines)) {
    chars += line.length + 1;
    if (chars > maxChars) break;
    kept.push(line);
  }
  return ordered(kept);
}
