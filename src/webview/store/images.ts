import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ConversationId } from '../../protocol/ids';
import type { SentImage } from '../../protocol/wire';
import { IMAGE_MEGABYTES, IMAGES } from '../limits';
import { modelWords } from '../modelWords';

/** An image of a message that is not sent yet. `bytes`: its size. */
export interface DraftImage extends SentImage {
  readonly bytes: number;
}

/** The kinds of images that every server of models can read. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

const NONE: readonly DraftImage[] = [];

/** Images that go with the next message of each conversation. They live as long as the page. */
export class Images {
  /** Of the conversation shown. */
  readonly here: ReadonlySignal<readonly DraftImage[]>;
  /** Why an image was not added to the conversation shown, as a sentence. */
  readonly trouble: ReadonlySignal<string | undefined>;
  readonly #shown: ReadonlySignal<ConversationId | undefined>;
  readonly #all = signal<ReadonlyMap<ConversationId, readonly DraftImage[]>>(new Map());
  readonly #trouble = signal<{ readonly conversation: ConversationId; readonly words: string } | undefined>(undefined);

  constructor(shown: ReadonlySignal<ConversationId | undefined>) {
    this.#shown = shown;
    this.here = computed(() => {
      const conversation = shown.value;
      return conversation === undefined ? NONE : (this.#all.value.get(conversation) ?? NONE);
    });
    this.trouble = computed(() => {
      const trouble = this.#trouble.value;
      return trouble?.conversation === shown.value ? trouble?.words : undefined;
    });
  }

  /** Takes what fits. `blind`: a sentence that says why none can be taken. */
  async add(files: readonly File[], blind: string | undefined): Promise<void> {
    const conversation = this.#shown.value;
    if (conversation === undefined || files.length === 0) return;
    this.#trouble.value = blind === undefined ? undefined : { conversation, words: blind };
    if (blind !== undefined) return;
    for (const file of files) {
      const words = refusal(file) ?? (await this.#read(conversation, file));
      if (words !== undefined) this.#trouble.value = { conversation, words };
    }
  }

  remove(image: DraftImage): void {
    const conversation = this.#shown.value;
    this.#trouble.value = undefined;
    if (conversation !== undefined) {
      this.#put(
        conversation,
        this.here.value.filter((one) => one !== image),
      );
    }
  }

  /** The images of the conversation leave with a message. */
  take(conversation: ConversationId): readonly DraftImage[] {
    const images = this.#all.value.get(conversation) ?? NONE;
    this.#trouble.value = undefined;
    if (images.length > 0) this.#put(conversation, NONE);
    return images;
  }

  /** The message that they belong to came back. */
  giveBack(conversation: ConversationId, images: readonly DraftImage[]): void {
    const since = this.#all.value.get(conversation) ?? NONE;
    if (images.length > 0) this.#put(conversation, joined(images, since));
  }

  /** They go along to the conversation that is shown now. */
  bring(from: ConversationId): void {
    const to = this.#shown.value;
    const images = this.#all.value.get(from) ?? NONE;
    if (to === undefined || to === from || images.length === 0) return;
    this.#put(to, joined(images, this.here.value));
    this.#put(from, NONE);
  }

  async #read(conversation: ConversationId, file: File): Promise<string | undefined> {
    const words = modelWords.images;
    const data = await base64(file);
    if (data === undefined) return words.unreadable(nameOf(file));
    const before = this.#all.value.get(conversation) ?? NONE;
    if (before.length >= IMAGES) return words.tooMany(IMAGES);
    const name = freeName(nameOf(file), before);
    this.#put(conversation, [...before, { name, mediaType: file.type, bytes: file.size, data }]);
    return undefined;
  }

  #put(conversation: ConversationId, images: readonly DraftImage[]): void {
    const all = new Map(this.#all.value);
    if (images.length === 0) all.delete(conversation);
    else all.set(conversation, images);
    this.#all.value = all;
  }
}

function refusal(file: File): string | undefined {
  const words = modelWords.images;
  if (!IMAGE_TYPES.some((type) => type === file.type)) return words.wrongType(nameOf(file));
  return file.size > IMAGE_MEGABYTES * 1e6 ? words.tooLarge(nameOf(file), IMAGE_MEGABYTES) : undefined;
}

/** A browser calls every pasted image the same. */
function nameOf(file: File): string {
  return file.name === '' || file.name === 'image.png' ? modelWords.images.pasted : file.name;
}

/** Two images of one message must be told apart by their names. */
function freeName(name: string, images: readonly DraftImage[]): string {
  const isFree = (wish: string): boolean => !images.some((image) => image.name === wish);
  if (isFree(name)) return name;
  let count = 2;
  while (!isFree(`${name} ${count}`)) count += 1;
  return `${name} ${count}`;
}

/** Both, told apart by their names. */
function joined(images: readonly DraftImage[], more: readonly DraftImage[]): readonly DraftImage[] {
  return more.reduce((all, image) => [...all, { ...image, name: freeName(image.name, all) }], images);
}

/** Undefined when it cannot be read. */
function base64(file: File): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = reader.result;
      resolve(typeof url === 'string' ? url.slice(url.indexOf(',') + 1) : undefined);
    });
    reader.addEventListener('error', () => resolve(undefined));
    reader.readAsDataURL(file);
  });
}
