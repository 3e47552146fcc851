/** Something that holds a resource. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Owns what it is given and disposes it in reverse order; once disposed, it disposes late additions at once. */
export class Disposables implements Disposable {
  readonly #items: Disposable[] = [];
  #disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    for (let item = this.#items.pop(); item !== undefined; item = this.#items.pop()) item.dispose();
  }
}
