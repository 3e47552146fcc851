import type { AttachmentPart } from '../../protocol/part';
import type { SentImage } from '../../protocol/wire';
import { imageTypeOf } from '../base/imageType';
import { IMAGE_BYTES, IMAGE_NAME_CHARS, IMAGES_PER_MESSAGE } from '../base/limits';
import { failed, succeeded, type Result } from '../base/result';
import { cutAt } from '../base/text';

const MEGABYTE = 1_048_576;

/** The images of a message as its parts. The failure is a sentence for the person; then none of them is taken. */
export function imageParts(images: readonly SentImage[]): Result<readonly AttachmentPart[], string> {
  if (images.length > IMAGES_PER_MESSAGE)
    return failed(`A message can hold ${IMAGES_PER_MESSAGE} images at most. Remove some.`);
  const parts: AttachmentPart[] = [];
  for (const image of images) {
    const part = imagePart(image);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  return succeeded(parts);
}

function imagePart({ name: written, data }: SentImage): Result<AttachmentPart, string> {
  const name = cutAt(written, IMAGE_NAME_CHARS).toWellFormed();
  // Before anything is decoded: four characters are three bytes.
  if (data.length > (IMAGE_BYTES / 3) * 4 + 4)
    return failed(`The image “${name}” is larger than ${IMAGE_BYTES / MEGABYTE} MB. Make it smaller.`);
  const bytes = Buffer.from(data, 'base64');
  // Node skips what is no base64: only what comes out the same is kept as it is in the file.
  if (bytes.length === 0 || bytes.toString('base64') !== data)
    return failed(`The image “${name}” did not arrive whole. Add it again.`);
  if (bytes.length > IMAGE_BYTES)
    return failed(`The image “${name}” is larger than ${IMAGE_BYTES / MEGABYTE} MB. Make it smaller.`);
  const mediaType = imageTypeOf(bytes);
  if (mediaType === undefined) return failed(`“${name}” is no image that models can see. Use PNG, JPEG or WebP.`);
  return succeeded({ type: 'attachment', kind: 'image', name, mediaType, bytes: bytes.length, data });
}
