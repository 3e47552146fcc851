/** A stretch of a model's answer. */
export interface AnswerPiece {
  readonly type: 'thinking' | 'text';
  readonly text: string;
}

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Tells thinking from text in answers of models that write their thinking into it, in a leading `<think>` block: such
 * models have a template that the server does not know. A tag that comes later belongs to the text. Tags may be split
 * over any number of pieces; a block that never ends is thinking to the end.
 */
export class ThinkTag {
  #state: 'start' | 'inside' | 'behind' | 'outside' = 'start';
  #held = '';

  push(text: string): AnswerPiece[] {
    const pieces: AnswerPiece[] = [];
    this.#held += text;
    if (this.#state === 'start') this.#begin();
    if (this.#state === 'inside') pieces.push(...this.#think());
    if (this.#state === 'behind') this.#skipBlank();
    if (this.#state === 'outside') pieces.push({ type: 'text', text: this.#take(this.#held.length) });
    return pieces.filter((piece) => piece.text !== '');
  }

  /** What was held back, now that nothing follows. Blank text that began nothing is dropped. */
  flush(): AnswerPiece[] {
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
      this.#state = 'outside';
    }
  }

  #think(): AnswerPiece[] {
    const end = this.#held.indexOf(CLOSE);
    if (end < 0) {
      return [{ type: 'thinking', text: this.#take(this.#held.length - heldBack(this.#held)) }];
    }
    const text = this.#take(end);
    this.#take(CLOSE.length);
    this.#state = 'behind';
    return [{ type: 'thinking', text }];
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

/** How many characters at the end may be the beginning of the closing tag. */
function heldBack(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1) {
    if (CLOSE.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
