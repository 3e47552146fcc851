/** Follows Markdown as it comes, far enough to know whether the place reached is within code. */
export class CodeMarks {
  #line = '';
  #fenced = false;

  /** Whether what comes next stands in a block of code or between backquotes. */
  get inCode(): boolean {
    return this.#fenced || FENCE.test(this.#line) || this.#line.split('`').length % 2 === 0;
  }

  /** The line so far, without its end. */
  get line(): string {
    return this.#line;
  }

  pass(text: string): void {
    const [first = '', ...more] = text.split('\n');
    this.#line += first;
    for (const line of more) {
      if (this.#fenced ? CLOSING_FENCE.test(this.#line) : FENCE.test(this.#line)) this.#fenced = !this.#fenced;
      this.#line = line;
    }
  }
}

const FENCE = /^\s*(?:`{3,}|~{3,})/;
const CLOSING_FENCE = /^\s*(?:`{3,}|~{3,})\s*$/;
