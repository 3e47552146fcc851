/** Random numbers by seed, so that a run can be made again as far as processes allow. */
export class Random {
  #state: number;

  /** Each topic of a seed has a sequence of its own: what one does changes nothing for another. */
  constructor(seed: number, topic: string) {
    let state = seed | 0;
    for (const char of topic) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193);
    this.#state = state;
  }

  /** At least 0, below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** An integer, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Mostly far below the mean, at times far above it: how long one waits for what happens at random. */
  wait(meanMs: number): number {
    return Math.round(-Math.log(1 - this.next()) * meanMs);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.next() * items.length)];
  }

  /** One of the names, each as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[];
    let left = this.next() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return names.at(-1)!;
  }
}
