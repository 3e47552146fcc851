import { lstat, type FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import { READ_BYTES, READ_FILE_BYTES } from '../base/limits';
import { confine, openConfined, type ConfinedPath } from './confine';
import { defineTool } from './defineTool';
import { findLine, readSlice } from './fileSlice';
import { headAndTail, LineWindow } from './lineWindow';
import { counted } from './outputText';
import { decodeText, linesOf } from './textFile';
import { refused, type ToolOutcome } from './tool';

/** Lines `start` to `end`, counted from 1 and with both of them; the end may lie behind the last line. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Reads a text file of the workspace folder, whole or some lines of it. */
export const readFileTool = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of the workspace folder. The middle of a long file is left out: read it with start_line and end_line.',
  schema: z.object({
    path: z.string().min(1).describe('File, relative to the workspace folder'),
    start_line: z.int().min(1).optional().describe('First line to read, counted from 1'),
    end_line: z.int().min(1).optional().describe('Last line to read'),
  }),
  example: { path: 'src/app.ts', start_line: 1, end_line: 100 },
  readOnly: true,
  run: async (args, host, signal) => {
    const range = rangeOf(args.start_line, args.end_line);
    if (range !== undefined && range.end < range.start) {
      return refused(`end_line ${range.end} is before start_line ${range.start}.`, 'bad range');
    }
    const confined = await confine(host.root, args.path);
    if (!confined.ok) return confined.failure;
    return readConfined(confined.value, range, signal);
  },
});

function rangeOf(start: number | undefined, end: number | undefined): LineRange | undefined {
  if (start === undefined && end === undefined) return undefined;
  return { start: start ?? 1, end: end ?? Number.POSITIVE_INFINITY };
}

async function readConfined(
  file: ConfinedPath,
  range: LineRange | undefined,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  let handle: FileHandle | undefined;
  try {
    // Asked before opening: opening alone can wait for a pipe's other end or set a device going.
    const kind = await lstat(file.real);
    if (kind.isDirectory()) return refused(`${file.shown} is a folder. Use list_files.`, 'a folder');
    if (!kind.isFile()) return refused(`${file.shown} is no regular file and cannot be read.`, 'no file');
    handle = await openConfined(file);
    if (handle === undefined) return changed(file);
    const { size } = await handle.stat();
    return size > READ_FILE_BYTES
      ? await readLarge(handle, file, size, range, signal)
      : await readWhole(handle, file, range, signal);
  } catch (error) {
    if (signal.aborted) return refused('Stopped.', 'stopped');
    return cannotRead(file, error);
  } finally {
    await handle?.close();
  }
}

async function readWhole(
  handle: FileHandle,
  file: ConfinedPath,
  range: LineRange | undefined,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const bytes = await readSlice(handle, 0, READ_FILE_BYTES + 1, signal);
  if (bytes.length > READ_FILE_BYTES) return changed(file);
  const text = decodeText(bytes);
  if (text === undefined) return binary(file);
  const lines = linesOf(text);
  if (range === undefined) return whole(lines);
  if (range.start > lines.length) return behindTheEnd(file, range, lines.length);
  return some(lines.slice(range.start - 1, range.end), range.start, ` of ${lines.length}`);
}

async function readLarge(
  handle: FileHandle,
  file: ConfinedPath,
  size: number,
  range: LineRange | undefined,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (range === undefined) {
    const megabytes = Math.round(size / 1_048_576);
    return refused(
      `${file.shown} has ${megabytes} MB, too much to read at once. Use search_text, or read some lines with start_line and end_line.`,
      'too large',
    );
  }
  const found = await findLine(handle, range.start, signal);
  if (found.kind === 'binary') return binary(file);
  if (found.kind === 'missing') return behindTheEnd(file, range, found.lines);
  // More than one result may hold, so that what is cut is cut by the limits of a result.
  const sliceBytes = 4 * READ_BYTES;
  const slice = await readSlice(handle, found.position, sliceBytes, signal);
  const text = decodeText(slice);
  if (text === undefined) return binary(file);
  const lines = linesOf(text);
  // The last line may go on behind the slice.
  if (slice.length === sliceBytes && lines.length > 1) lines.pop();
  return some(lines.slice(0, range.end - range.start + 1), range.start, '');
}

function whole(lines: readonly string[]): ToolOutcome {
  const summary = counted(lines.length, 'line', 'lines');
  if (lines.length === 0) return { ok: true, content: '(The file is empty.)', summary };
  const { head, tail, omitted } = headAndTail(lines);
  if (omitted === 0) return { ok: true, content: head.join('\n'), summary };
  const first = head.length + 1;
  const last = head.length + omitted;
  const gap = `[… ${counted(omitted, 'line', 'lines')} omitted: read them with start_line ${first} and end_line ${last} …]`;
  return { ok: true, content: [...head, gap, ...tail].join('\n'), summary: `${summary}, cut` };
}

/** Lines from number `start` on, as many as one result may hold. */
function some(lines: readonly string[], start: number, ofTotal: string): ToolOutcome {
  const window = new LineWindow();
  lines.every((line) => window.add(line));
  const end = start + window.lines.length - 1;
  const more = window.lines.length < lines.length ? [`[… cut here: read on with start_line ${end + 1} …]`] : [];
  return {
    ok: true,
    content: [`[lines ${start}-${end}${ofTotal}]`, ...window.lines, ...more].join('\n'),
    summary: start === end ? `line ${start}` : `${start}–${end}`,
  };
}

function behindTheEnd(file: ConfinedPath, range: LineRange, lines: number): ToolOutcome {
  const total = counted(lines, 'line', 'lines');
  return refused(`${file.shown} has ${total}; start_line ${range.start} is behind the end.`, 'behind the end');
}

function binary(file: ConfinedPath): ToolOutcome {
  return refused(`${file.shown} is a binary file, not text.`, 'binary');
}

function changed(file: ConfinedPath): ToolOutcome {
  return refused(`${file.shown} was replaced or grew while it was read. Try again.`, 'changed');
}

function cannotRead(file: ConfinedPath, error: unknown): ToolOutcome {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return refused(`${file.shown} cannot be read (${code}).`, 'cannot be read');
}
