/** What the model of one conversation was told of files: enough to notice that a file is another one since. */
export class SeenFiles {
  /** By real path: SHA-256 of the content that the model was told, or wrote itself. */
  readonly #hashes = new Map<string, string>();

  /** The model knows this content now. */
  told(path: string, hash: string): void {
    this.#hashes.set(path, hash);
  }

  /** Undefined: the model was told nothing of the file in this window. */
  hashOf(path: string): string | undefined {
    return this.#hashes.get(path);
  }
}
