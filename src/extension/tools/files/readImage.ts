import type { FileHandle } from 'node:fs/promises';
import { imageTypeOf } from '../../base/imageType';
import { IMAGE_BYTES } from '../../base/limits';
import { readSlice } from '../fileSlice';
import { refused, type ToolOutcome } from '../tool';

/** Bytes that tell what kind of image a file is. */
const SIGNATURE_BYTES = 16;
const KILOBYTE = 1_024;

/**
 * The image that an open file is, for a model that sees; in words what it is, for one that does not. Undefined: it is no
 * image. @param shown the file as the model knows it
 */
export async function readImage(
  handle: FileHandle,
  shown: string,
  vision: boolean,
  signal: AbortSignal,
): Promise<ToolOutcome | undefined> {
  const start = await readSlice(handle, 0, SIGNATURE_BYTES, signal);
  if (/^GIF8[79]a/.test(start.toString('latin1'))) {
    return refused(`${shown} is a GIF image, which models cannot see. PNG, JPEG and WebP can be seen.`, 'a GIF image');
  }
  const mediaType = imageTypeOf(start);
  if (mediaType === undefined) return undefined;
  if (!vision) return refused(`${shown} is an image (${mediaType}), and this model cannot see images.`, 'an image');
  const bytes = await readSlice(handle, 0, IMAGE_BYTES + 1, signal);
  if (bytes.length > IMAGE_BYTES) {
    return refused(
      `${shown} is an image of more than ${IMAGE_BYTES / KILOBYTE ** 2} MB, too large to be seen.`,
      'too large',
    );
  }
  const size = `${Math.ceil(bytes.length / KILOBYTE)} KB`;
  return {
    ok: true,
    content: `(The image ${shown}, ${mediaType}, ${size}.)`,
    summary: `image, ${size}`,
    image: { mediaType, bytes: bytes.length, data: bytes.toString('base64') },
  };
}
