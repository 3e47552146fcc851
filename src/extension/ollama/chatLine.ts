import { modelKey } from './modelName';

/** Which chats with a model are under way, in the order in which they left. A server answers them one by one. */
export class ChatLine {
  readonly #places: Place[] = [];

  /** Takes the last place among the chats with `model`. It must be left. */
  enter(model: string): Place {
    const key = modelKey(model);
    const place = new Place(
      this.#places.filter((other) => other.key === key),
      key,
      () => {
        const index = this.#places.indexOf(place);
        if (index >= 0) this.#places.splice(index, 1);
      },
    );
    this.#places.push(place);
    return place;
  }
}

/** The place of one chat. */
export class Place {
  readonly key: string;
  readonly left: Promise<void>;
  /** Resolves when every chat before this one is over; at once when there is none. */
  readonly reached: Promise<void>;
  #behind: boolean;
  readonly #remove: () => void;
  #setLeft: () => void = () => undefined;

  constructor(before: readonly Place[], key: string, remove: () => void) {
    this.key = key;
    this.#remove = remove;
    this.#behind = before.length > 0;
    this.left = new Promise((resolve) => {
      this.#setLeft = resolve;
    });
    this.reached = Promise.all(before.map((place) => place.left)).then(() => {
      this.#behind = false;
    });
  }

  /** Whether another chat comes first. */
  get isBehind(): boolean {
    return this.#behind;
  }

  /** Doing so twice is harmless. */
  leave(): void {
    this.#remove();
    this.#setLeft();
  }
}
