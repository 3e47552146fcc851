/** Lets a fixed number of requests run; the others wait in the order of their arrival. */
export class SlotQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param slots how many may run at once
   * @param maxWaiting how many may wait
   */
  constructor(
    private readonly slots: number,
    private readonly maxWaiting: number,
  ) {}

  /**
   * Waits for a slot; whoever gets `'taken'` must release it.
   * @param gone resolves when the caller is no longer interested; its place in the queue is then given up
   */
  async take(gone: Promise<void>): Promise<'taken' | 'full' | 'gone'> {
    if (this.running < this.slots) {
      this.running += 1;
      return 'taken';
    }
    if (this.waiting.length >= this.maxWaiting) return 'full';
    return new Promise((resolve) => {
      const admit = (): void => resolve('taken');
      this.waiting.push(admit);
      void gone.then(() => {
        const place = this.waiting.indexOf(admit);
        if (place < 0) return;
        this.waiting.splice(place, 1);
        resolve('gone');
      });
    });
  }

  /** Gives a slot to whoever waits longest. */
  release(): void {
    const next = this.waiting.shift();
    // The slot passes on without being counted free, so that nobody can slip in between.
    if (next) next();
    else this.running -= 1;
  }
}
