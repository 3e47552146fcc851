/** Joins pieces of a stream so that every piece that comes out is well-formed, also where a pair was split. */
export class WellFormedPieces {
  #held = '';

  /** What can be shown now. The first half of a pair at the end is held back until the next piece. */
  push(piece: string): string {
    const text = this.#held + piece;
    const last = text.charCodeAt(text.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    this.#held = text.slice(cut);
    return text.slice(0, cut).toWellFormed();
  }

  /** What was held back, now that nothing follows. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held.toWellFormed();
  }
}
