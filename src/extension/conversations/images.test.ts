import { describe, expect, it } from 'vitest';
import type { SentImage } from '../../protocol/wire';
import { IMAGE_BYTES } from '../base/limits';
import { imageParts } from './images';

const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const WEBP = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WEBPVP8 ')]);

function sent(bytes: Buffer, name = 'screen.png', mediaType = 'image/png'): SentImage {
  return { name, mediaType, data: bytes.toString('base64') };
}

describe('an image that goes with a message', () => {
  it.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/webp', WEBP],
  ])('is %s when its bytes say so, whatever the page says', (mediaType, bytes) => {
    expect(imageParts([sent(bytes, 'a', 'image/gif')])).toEqual({
      ok: true,
      value: [
        {
          type: 'attachment',
          kind: 'image',
          name: 'a',
          mediaType,
          bytes: bytes.length,
          data: bytes.toString('base64'),
        },
      ],
    });
  });

  it.each([
    ['a GIF', sent(Buffer.from('GIF89a..........')), 'Use PNG, JPEG or WebP'],
    ['a script', sent(Buffer.from('<svg onload="alert(1)"/>'), 'x.png'), 'Use PNG, JPEG or WebP'],
    ['nothing', { name: 'n', mediaType: 'image/png', data: '' }, 'did not arrive whole'],
    [
      'no base64',
      { name: 'n', mediaType: 'image/png', data: 'data:image/png;base64,iVBORw0KGgo=' },
      'did not arrive whole',
    ],
    [
      'base64 with line breaks',
      { name: 'n', mediaType: '', data: PNG.toString('base64').replace('A', '\nA') },
      'whole',
    ],
    ['base64 that is cut', { name: 'n', mediaType: '', data: PNG.toString('base64').slice(0, -1) }, 'whole'],
    ['too many bytes', sent(Buffer.concat([PNG, Buffer.alloc(IMAGE_BYTES)])), 'larger than 10 MB'],
  ])('is refused in words when it is %s', (_, image, words) => {
    const refused = imageParts([sent(PNG), image]);
    expect(refused).toMatchObject({ ok: false, failure: expect.stringContaining(words) });
    expect(refused).toMatchObject({ failure: expect.stringContaining(image.name) });
  });

  it('may have ten megabytes, and three others beside it', () => {
    const whole = Buffer.concat([PNG, Buffer.alloc(IMAGE_BYTES - PNG.length)]);
    expect(imageParts([sent(whole), sent(PNG), sent(PNG), sent(PNG)]).ok).toBe(true);
    expect(imageParts(Array.from({ length: 5 }, () => sent(PNG)))).toEqual({
      ok: false,
      failure: 'A message can hold 4 images at most. Remove some.',
    });
  });

  it('has a name of a bearable length, well-formed', () => {
    const parts = imageParts([sent(PNG, `\ud800${'n'.repeat(900)}`)]);
    expect(parts).toMatchObject({ ok: true, value: [{ name: `\ufffd${'n'.repeat(199)}` }] });
  });
});
