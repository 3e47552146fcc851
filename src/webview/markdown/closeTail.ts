/**
 * Makes the end of a text that is still being written read as Markdown that is complete: marks that were opened are
 * closed, and marks that do not yet mean anything are left out. For the eye only; the text itself stays as it is.
 */
export function closeTail(text: string): string {
  if (endsInFence(text)) return text;
  const start = leafStart(text);
  const leaf = text.slice(start).replace(DANGLING, '');
  return text.slice(0, start) + (leaf.length > LEAF_CHARS ? leaf : closeInline(leaf));
}

/** A longer leaf is left as it is: this runs at every frame. */
const LEAF_CHARS = 8_000;
const LABEL_CHARS = 1_000;
const ADDRESS_CHARS = 2_000;

/** A last line of nothing but the beginning of a mark. `-` under a line of text would make it a heading. */
const DANGLING = /(?:^|\n)[ \t]*(?:-+|=+|[*+>|]|#{1,6}|[`~]{1,2})[ \t]*$/;

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/;

/** Whether `text` ends within a code fence. The lexer takes an open fence to the end by itself. */
function endsInFence(text: string): boolean {
  if (!text.includes('```') && !text.includes('~~~')) return false;
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const [, fence, rest] = FENCE.exec(line) ?? [];
    if (fence === undefined) continue;
    if (open === undefined) open = fence;
    else if (fence.startsWith(open) && rest?.trim() === '') open = undefined;
  }
  return open !== undefined;
}

const LEAF = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)]|#{1,6})[ \t]|\|)/;

/** Where the last run of inline text begins: marks do not reach over blank lines, items or rows. */
function leafStart(text: string): number {
  let start = text.length;
  while (start > 0) {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const line = text.slice(lineStart, start);
    if (line.trim() === '' && start < text.length) return start;
    if (LEAF.test(line) || lineStart === 0) return lineStart;
    start = lineStart - 1;
  }
  return 0;
}

interface OpenMark {
  readonly char: string;
  readonly length: number;
}

function closeInline(source: string): string {
  let text = source;
  let open: OpenMark[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '\\') {
      at += 2;
    } else if (char === '`') {
      const length = runLength(text, at);
      const end = codeEnd(text, at + length, length);
      if (end === undefined) return closeCode(text, at, length, open);
      at = end;
    } else if (char === '[') {
      const link = readLink(text, at);
      if (link.kind === 'whole') at = link.end;
      else if (link.kind === 'none') at += 1;
      else text = text.slice(0, link.start) + link.label;
    } else if (char === '*' || char === '_' || char === '~') {
      const length = runLength(text, at);
      const after = takeRun(open, text, at, length);
      if (after === undefined) text = text.slice(0, at);
      else open = after;
      at += length;
    } else {
      at += 1;
    }
  }
  return withClosers(text, open);
}

function runLength(text: string, at: number): number {
  const char = text.charAt(at);
  let end = at;
  while (end < text.length && text.charAt(end) === char) end += 1;
  return end - at;
}

/** Behind the run of exactly `length` backticks that ends a code span. */
function codeEnd(text: string, from: number, length: number): number | undefined {
  for (let at = text.indexOf('`', from); at >= 0; at = text.indexOf('`', at)) {
    const found = runLength(text, at);
    at += found;
    if (found === length) return at;
  }
  return undefined;
}

function closeCode(text: string, at: number, length: number, open: readonly OpenMark[]): string {
  const content = text.slice(at + length).replace(/`+$/, '');
  if (content.trim() === '') return withClosers(text.slice(0, at), open);
  return withClosers(`${text.slice(0, at + length)}${content}${'`'.repeat(length)}`, open);
}

type LinkRead =
  | { readonly kind: 'whole'; readonly end: number }
  | { readonly kind: 'none' }
  /** Its address is still being written: only the label is worth showing. */
  | { readonly kind: 'partial'; readonly start: number; readonly label: string };

function readLink(text: string, at: number): LinkRead {
  const labelEnd = matching(text, at, '[', ']', LABEL_CHARS);
  if (labelEnd === undefined || text.charAt(labelEnd) !== '(') return { kind: 'none' };
  const end = matching(text, labelEnd, '(', ')', ADDRESS_CHARS);
  if (end !== undefined) return { kind: 'whole', end };
  if (text.length - labelEnd > ADDRESS_CHARS) return { kind: 'none' };
  const start = at > 0 && text.charAt(at - 1) === '!' ? at - 1 : at;
  return { kind: 'partial', start, label: text.slice(at + 1, labelEnd - 1) };
}

/** Behind the bracket that closes the one at `at`. */
function matching(text: string, at: number, opening: string, closing: string, limit: number): number | undefined {
  let depth = 0;
  const stop = Math.min(text.length, at + limit);
  for (let index = at; index < stop; index += 1) {
    const char = text.charAt(index);
    if (char === '\\') index += 1;
    else if (char === opening) depth += 1;
    else if (char === closing && (depth -= 1) === 0) return index + 1;
  }
  return undefined;
}

/** The open marks after a run of `*`, `_` or `~`. Undefined: the run ends the text and opens nothing yet. */
function takeRun(open: readonly OpenMark[], text: string, at: number, length: number): OpenMark[] | undefined {
  const char = text.charAt(at);
  const before = text.charAt(at - 1);
  const after = text.charAt(at + length);
  const canClose = before !== '' && !/\s/.test(before);
  const canOpen = after !== '' && !/\s/.test(after);
  if (char === '_' && /\w/.test(before) && /\w/.test(after)) return [...open];
  let marks = [...open];
  let left = length;
  while (left > 0) {
    const opener = canClose ? marks.findLastIndex((mark) => mark.char === char && mark.length <= left) : -1;
    if (opener >= 0) {
      left -= marks[opener]?.length ?? 0;
      marks = marks.slice(0, opener);
    } else if (canOpen && !(char === '~' && left < 2)) {
      const taken = left >= 2 ? 2 : 1;
      marks.push({ char, length: taken });
      left -= taken;
    } else {
      return after === '' ? undefined : marks;
    }
  }
  return marks;
}

function withClosers(text: string, open: readonly OpenMark[]): string {
  if (open.length === 0) return text;
  const trimmed = text.trimEnd();
  const closers = open.toReversed().map((mark) => mark.char.repeat(mark.length));
  return trimmed + closers.join('') + text.slice(trimmed.length);
}
