import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeInPlace, type WritableFile } from './writeInPlace';

/** A file in memory whose disk has no room beyond `room` bytes, and whose call number `failing` fails. */
class FailingFile {
  bytes: Buffer;
  mode = 0o644;
  #calls = 0;

  constructor(
    bytes: Uint8Array,
    readonly room: number,
    readonly failing = -1,
  ) {
    this.bytes = Buffer.from(bytes);
  }

  readonly open: WritableFile = {
    write: ((data: Uint8Array, from: number, length: number, position: number) => {
      this.#called();
      const fits = Math.min(length, 7, this.room - position);
      if (fits <= 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      const grown = Buffer.alloc(Math.max(this.bytes.length, position + fits));
      this.bytes.copy(grown);
      grown.set(data.subarray(from, from + fits), position);
      this.bytes = grown;
      return Promise.resolve({ bytesWritten: fits, buffer: data });
    }) as WritableFile['write'],
    truncate: (length = 0) => {
      this.#called();
      const cut = Buffer.alloc(length);
      this.bytes.copy(cut);
      this.bytes = cut;
      return Promise.resolve();
    },
    datasync: () => Promise.resolve(this.#called()),
    stat: (() => Promise.resolve({ mode: this.mode })) as WritableFile['stat'],
    chmod: (mode) => {
      this.mode = Number(mode);
      return Promise.resolve();
    },
  };

  #called(): void {
    if (this.#calls === this.failing) {
      this.#calls += 1;
      throw Object.assign(new Error('broken'), { code: 'EIO' });
    }
    this.#calls += 1;
  }
}

const someBytes = fc.uint8Array({ maxLength: 40 });

describe('writing over a file in place', () => {
  it('holds the new bytes, or says why and that it holds the old ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        someBytes,
        someBytes,
        fc.nat(40),
        fc.integer({ min: -1, max: 12 }),
        async (before, after, spare, failing) => {
          const file = new FailingFile(before, Math.max(before.length, spare), failing);
          const written = await writeInPlace(file.open, before, after);
          if (written.ok) expect(file.bytes.equals(Buffer.from(after))).toBe(true);
          else if (written.failure.restored) expect(file.bytes.equals(Buffer.from(before))).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('meets a full disk before anything of the old bytes is written over', async () => {
    const file = new FailingFile(Buffer.from('old'), 5);
    expect(await writeInPlace(file.open, Buffer.from('old'), Buffer.from('new and long'))).toEqual({
      ok: false,
      failure: { reason: 'the disk is full', restored: true },
    });
    expect(file.bytes.toString()).toBe('old');
  });

  it('says that the old bytes could not be put back', async () => {
    const file = new FailingFile(Buffer.from('old'), 3);
    const broken: WritableFile = { ...file.open, datasync: () => Promise.reject(new Error('gone')) };
    expect(await writeInPlace(broken, Buffer.from('old'), Buffer.from('new'))).toMatchObject({
      ok: false,
      failure: { restored: false },
    });
  });
});
