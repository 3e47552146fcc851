import { CodeMarks } from './codeMarks';

/**
 * A stretch of a model's answer. `text_was_thinking`: so was all text that came before it in this stretch of the
 * answer, and it has just ended.
 */
export type AnswerPiece =
  { readonly type: 'thinking' | 'text'; readonly text: string } | { readonly type: 'text_was_thinking' };

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Tells thinking from text in answers of models that write their thinking into it, since their template is one that the
 * server does not know: in a leading `<think>` block, or from the start to a lone `</think>`. That one is known only
 * when it comes, so the text before it has been shown as text. Any other tag belongs to the text: one that comes later,
 * stands in code, or is spoken of in a line. Tags may be split over any number of pieces; a block that never ends is
 * thinking to the end.
 */
export class ThinkTag {
  readonly #marks = new CodeMarks();
  #state: 'start' | 'inside' | 'loose' | 'behind' | 'outside' = 'start';
  #held = '';

  push(text: string): AnswerPiece[] {
    const pieces: AnswerPiece[] = [];
    this.#held += text;
    if (this.#state === 'start') this.#begin();
    if (this.#state === 'inside') pieces.push(...this.#think());
    if (this.#state === 'loose') pieces.push(...this.#watch(false));
    if (this.#state === 'behind') this.#skipBlank();
    if (this.#state === 'outside') pieces.push(textPiece(this.#take(this.#held.length)));
    return pieces.filter((piece) => !('text' in piece) || piece.text !== '');
  }

  /** What was held back, now that nothing follows. Blank text that began nothing is dropped. */
  flush(): AnswerPiece[] {
    if (this.#state === 'loose') {
      const pieces = this.#watch(true);
      return [...pieces, textPiece(this.#take(this.#held.length))].filter(
        (piece) => !('text' in piece) || piece.text !== '',
      );
    }
    const type = this.#state === 'inside' ? 'thinking' : 'text';
    const text = this.#take(this.#held.length);
    return text.trim() === '' ? [] : [{ type, text }];
  }

  #begin(): void {
    const start = this.#held.trimStart();
    if (start.startsWith(OPEN)) {
      this.#held = start.slice(OPEN.length);
      this.#state = 'inside';
    } else if (start.startsWith(CLOSE)) {
      // Some models leave out the opening tag of a block that they leave empty.
      this.#held = start.slice(CLOSE.length);
      this.#state = 'behind';
    } else if (!OPEN.startsWith(start) && !CLOSE.startsWith(start)) {
      this.#state = 'loose';
    }
  }

  #think(): AnswerPiece[] {
    const end = this.#held.indexOf(CLOSE);
    if (end < 0) {
      return [{ type: 'thinking', text: this.#take(this.#held.length - heldBack(this.#held, [CLOSE])) }];
    }
    const text = this.#take(end);
    this.#take(CLOSE.length);
    this.#state = 'behind';
    return [{ type: 'thinking', text }];
  }

  /** Text that may turn out to have been thinking. `ended`: nothing follows. */
  #watch(ended: boolean): AnswerPiece[] {
    const pieces: AnswerPiece[] = [];
    for (;;) {
      const found = TAG.exec(this.#held);
      const before = found === null ? this.#held.length - heldBack(this.#held, [OPEN, CLOSE]) : found.index;
      pieces.push(this.#passed(before));
      if (found === null) return pieces;
      const [tag] = found;
      if (this.#marks.inCode) {
        pieces.push(this.#passed(tag.length));
        continue;
      }
      if (tag === OPEN) break;
      const next = this.#held[CLOSE.length];
      // What follows tells a tag that ends something from one that is spoken of.
      if (next === undefined && !ended) return pieces;
      if (isSpokenOf(this.#marks.line, next)) break;
      this.#take(CLOSE.length);
      this.#state = 'behind';
      return [...pieces, { type: 'text_was_thinking' }];
    }
    this.#state = 'outside';
    return pieces;
  }

  #passed(length: number): AnswerPiece {
    const text = this.#take(length);
    this.#marks.pass(text);
    return textPiece(text);
  }

  #skipBlank(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== '') this.#state = 'outside';
  }

  #take(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text;
  }
}

const TAG = /<\/?think>/;

function textPiece(text: string): AnswerPiece {
  return { type: 'text', text };
}

/** Whether a closing tag after `line` stands within a sentence: apart from the word before it, and the line goes on. */
function isSpokenOf(line: string, next: string | undefined): boolean {
  if (next === undefined || next === '\n' || next === '\r' || line.trim() === '') return false;
  return /[\s"'“‘«(]$/.test(line);
}

/** How many characters at the end may be the beginning of a tag. */
function heldBack(text: string, tags: readonly string[]): number {
  const longest = Math.max(...tags.map((tag) => tag.length));
  for (let length = Math.min(longest - 1, text.length); length > 0; length -= 1) {
    const end = text.slice(-length);
    if (tags.some((tag) => tag.startsWith(end))) return length;
  }
  return 0;
}
