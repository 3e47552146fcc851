import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MountedDisk } from '../../../../test/support/disk/mounted';
import {
  COMMAND_HEAD_BYTES,
  COMMAND_LIVE_BYTES,
  COMMAND_MEMORY_BYTES,
  COMMAND_SPILL_BYTES,
  COMMAND_TAIL_BYTES,
} from '../../base/limits';
import { CommandOutput, OUTPUT_START } from './commandOutput';

const never = new AbortController().signal;

function outputIn(folder: string): CommandOutput {
  const output = new CommandOutput(folder, () => undefined);
  onTestFinished(() => output.close());
  return output;
}

async function newOutput(): Promise<CommandOutput> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-output-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return outputIn(folder);
}

/** Lines that say which they are, from 1 on. */
function numbered(count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join(''));
}

test('what is short is there whole, the line that has no end included', async () => {
  const output = await newOutput();
  output.push(Buffer.from('one\ntwo\nthr'));
  expect(await output.excerpt(OUTPUT_START)).toMatchObject({ head: 'one\ntwo\nthr', tail: '', omittedBytes: 0 });
  expect(output.live()).toEqual({ text: 'one\ntwo\nthr', bytes: 11 });
});

test('the beginning, what is left out and the end of what is long add up', async () => {
  for (const count of [4_000, 20_000, 300_000]) {
    const output = await newOutput();
    const printed = numbered(count);
    for (let at = 0; at < printed.length; at += 10_007) output.push(printed.subarray(at, at + 10_007));
    output.end();
    const { head, tail, omittedBytes, omittedLines, nextLine } = await output.excerpt(OUTPUT_START);
    const lines = (text: string): number => text.split('\n').length - 1;
    expect(head.length).toBeLessThanOrEqual(COMMAND_HEAD_BYTES);
    expect(tail.length).toBeLessThanOrEqual(COMMAND_TAIL_BYTES);
    expect(head.length + omittedBytes + tail.length).toBe(printed.length);
    expect(lines(head) + omittedLines + lines(tail)).toBe(count);
    expect(head.endsWith(`line ${nextLine - 1}\n`)).toBe(true);
    expect(tail.startsWith(`line ${nextLine + omittedLines}\n`)).toBe(true);
    expect(await output.linesFrom(nextLine, 20, never)).toMatchObject({
      kind: 'found',
      text: expect.stringMatching(
        new RegExp(`^line ${nextLine}
`),
      ),
    });
  }
});

test('what was read is not read again', async () => {
  const output = await newOutput();
  output.push(numbered(3));
  const first = await output.excerpt(OUTPUT_START);
  output.push(Buffer.from('more\n'));
  const second = await output.excerpt(first.end);
  expect(second).toMatchObject({ head: 'more\n', omittedBytes: 0, nextLine: 4 });
  output.push(numbered(50_000));
  const third = await output.excerpt(second.end);
  expect(third.head).toMatch(/^line 1\nline 2\n/);
  expect(third.tail.endsWith('line 50000\n')).toBe(true);
  expect(third.nextLine).toBe(4 + third.head.split('\n').length);
});

test('no character is torn where text is cut', async () => {
  const output = await newOutput();
  output.push(Buffer.from('€'.repeat(100_000)));
  output.end();
  const { head, tail, omittedBytes } = await output.excerpt(OUTPUT_START);
  expect(head + tail).toMatch(/^€+$/);
  expect(Buffer.byteLength(head + tail) + omittedBytes).toBe(300_000);
  expect(output.live().text).toMatch(/^€+$/);
  expect(Buffer.byteLength(output.live().text)).toBeLessThanOrEqual(COMMAND_LIVE_BYTES);
});

test('more than the file may hold is lost in its middle, and that is said', async () => {
  const output = await newOutput();
  const chunk = Buffer.from('0123456789abcde\n'.repeat(65_536));
  for (let bytes = 0; bytes < COMMAND_SPILL_BYTES + 4 * chunk.length; bytes += chunk.length) output.push(chunk);
  output.push(Buffer.from('end\n'));
  expect(output.lost).toMatch(/^only its first 67108864 and last 65536 bytes were kept: more/);
  const { tail, omittedLines, nextLine } = await output.excerpt(OUTPUT_START);
  expect(tail.endsWith('end\n')).toBe(true);
  expect(await output.linesFrom(nextLine + omittedLines, 16, never)).toMatchObject({ kind: 'found' });
  expect(await output.linesFrom(1_000_000, 16, never)).toMatchObject({ kind: 'found', text: '0123456789abcde\n' });
  expect(await output.linesFrom(COMMAND_SPILL_BYTES / 16 + 10, 16, never)).toEqual({ kind: 'lost' });
});

test('a folder that takes no file costs the middle only, and that is said', async () => {
  const output = outputIn(path.join(tmpdir(), 'holdfast-is-not-there'));
  output.push(numbered(100_000));
  output.push(Buffer.from('end\n'));
  const { head, tail } = await output.excerpt(OUTPUT_START);
  expect(head.startsWith('line 1\n')).toBe(true);
  expect(tail.endsWith('line 100000\nend\n')).toBe(true);
  expect(output.lost).toContain('could not be written to the disk (ENOENT)');
  expect(output.isFull).toBe(false);
  expect(await output.linesFrom(5_000, 100, never)).toEqual({ kind: 'lost' });
});

test('a disk that is full costs what did not fit', async () => {
  const disk = await MountedDisk.mount(4 * COMMAND_MEMORY_BYTES);
  if (disk === undefined) return;
  onTestFinished(() => disk.dispose());
  const output = outputIn(disk.folder);
  const printed = numbered(100_000);
  for (let at = 0; at < printed.length; at += 65_536) output.push(printed.subarray(at, at + 65_536));
  expect(await output.linesFrom(10_000, 11, never)).toEqual({ kind: 'found', text: 'line 10000\n' });
  expect(output.lost).toContain('could not be written to the disk (ENOSPC)');
  expect((await output.excerpt(OUTPUT_START)).tail.endsWith('line 100000\n')).toBe(true);
});
