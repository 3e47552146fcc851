/** What the model knows of a file. `hash`: SHA-256 of its content. `whole`: whether it was told, or wrote, all of that. */
interface SeenFile {
  readonly hash: string;
  readonly whole: boolean;
}

/** What the model of one conversation was told of files: enough to notice that a file is another one since. */
export class SeenFiles {
  /** By real path. */
  readonly #files = new Map<string, SeenFile>();

  /** The model was told all of this content, or some lines of it. */
  told(path: string, hash: string, whole: boolean): void {
    const known = this.#files.get(path);
    this.#files.set(path, { hash, whole: whole || (known?.hash === hash && known.whole) });
  }

  /** The model has changed a part itself: it knows as much of the file as before. */
  edited(path: string, hash: string): void {
    const known = this.#files.get(path);
    if (known !== undefined) this.#files.set(path, { ...known, hash });
  }

  /** Undefined: the model was told nothing of the file in this window. */
  hashOf(path: string): string | undefined {
    return this.#files.get(path)?.hash;
  }

  /** Whether the model knows all of the content whose hash {@link hashOf} tells. */
  isWhole(path: string): boolean {
    return this.#files.get(path)?.whole ?? false;
  }
}
