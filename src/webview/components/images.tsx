import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { AttachmentPart } from '../../protocol/part';
import { formatBytes } from '../format';
import { modelWords } from '../modelWords';
import { IMAGE_TYPES, type DraftImage } from '../store/images';
import { IconButton, Icon } from './icon';

const words = modelWords.images;

/** Images that go with the message being written. */
export function DraftImages(props: {
  images: readonly DraftImage[];
  onRemove: (image: DraftImage) => void;
}): VNode | null {
  if (props.images.length === 0) return null;
  return (
    <ul class="chips" aria-label={words.list}>
      {props.images.map((image) => (
        <li class="chip" key={image.name}>
          <Icon name="file-media" />
          <span class="name" title={image.name}>
            {image.name}
          </span>
          <span class="aside">{formatBytes(image.bytes)}</span>
          <IconButton icon="close" name={words.remove(image.name)} onPress={() => props.onRemove(image)} />
        </li>
      ))}
    </ul>
  );
}

/** Images that went with a message. */
export function SentImages({ images }: { images: readonly Pick<AttachmentPart, 'name' | 'bytes'>[] }): VNode | null {
  if (images.length === 0) return null;
  return (
    <ul class="chips" aria-label={words.list}>
      {images.map((image, index) => (
        <li class="chip" key={index}>
          <Icon name="file-media" />
          <span class="name" title={image.name}>
            {image.name}
          </span>
          <span class="aside">{formatBytes(image.bytes)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Chooses images from the disk. */
export function AddImage({ onAdd }: { onAdd: (files: readonly File[]) => void }): VNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="device-camera" name={words.add} onPress={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={IMAGE_TYPES.join(',')}
        tabIndex={-1}
        aria-label={words.add}
        onChange={(event) => {
          onAdd([...(event.currentTarget.files ?? [])]);
          // The same file again is a change again.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
