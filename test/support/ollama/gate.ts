/**
 * A moment that is reached once and that others can wait for: "the headers were sent", "the client left", or a point
 * at which a test holds a stream. Opening it again changes nothing.
 */
export class Gate {
  /** Resolves when the gate is opened; never rejects. */
  readonly opened: Promise<void>;
  private resolve: () => void = () => undefined;
  private time: number | undefined;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  /** When it was opened, in milliseconds since the epoch with a fraction; undefined while it is shut. */
  get openedAt(): number | undefined {
    return this.time;
  }

  get isOpen(): boolean {
    return this.time !== undefined;
  }

  open(): void {
    this.time ??= performance.timeOrigin + performance.now();
    this.resolve();
  }
}
