import { lstat, type FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import { READ_BYTES, READ_FILE_BYTES, READ_LINE_CHARS } from '../base/limits';
import { openConfined } from './confine';
import { defineTool } from './defineTool';
import { locate, type FilePlace } from './filePlace';
import { contentHash } from './files/contentHash';
import { reasonOf } from './files/diskFile';
import { readImage } from './files/readImage';
import { decodeBytes, shownText } from './files/textCodec';
import { findLine, readSlice } from './fileSlice';
import { headAndTail, LineWindow } from './lineWindow';
import { counted } from './outputText';
import { decodeText, linesOf, plainBreaks } from './textFile';
import { answered, refused, type ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';

/** Lines `start` to `end`, counted from 1 and with both of them; the end may lie behind the last line. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Reads a text file, whole or some lines of it, or an image. */
export const readFileTool = defineTool({
  name: 'read_file',
  description:
    'Reads a text file or an image. The middle of a long file is left out: read it with start_line and end_line.',
  schema: z.object({
    path: z.string().min(1).describe('File, relative to the workspace folder'),
    start_line: z.int().min(1).optional().describe('First line to read, counted from 1'),
    end_line: z.int().min(1).optional().describe('Last line to read'),
  }),
  example: { path: 'src/app.ts', start_line: 1, end_line: 100 },
  readOnly: true,
  plan: async (args, host) => {
    const range = rangeOf(args.start_line, args.end_line);
    if (range !== undefined && range.end < range.start) {
      return answered(refused(`end_line ${range.end} is before start_line ${range.start}.`, 'bad range'));
    }
    const located = await locate(host, args.path, 'existing');
    if (!located.ok) return answered(located.failure);
    const place = located.value;
    return {
      kind: 'ready',
      ...(place.outside ? { action: { kind: 'read', place } } : {}),
      run: ({ signal }) => readPlace(host, place, range, signal),
    };
  },
});

function rangeOf(start: number | undefined, end: number | undefined): LineRange | undefined {
  if (start === undefined && end === undefined) return undefined;
  return { start: start ?? 1, end: end ?? Number.POSITIVE_INFINITY };
}

async function readPlace(
  host: ToolHost,
  place: FilePlace,
  range: LineRange | undefined,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const unsaved = host.editors.text(place.real);
  if (unsaved !== undefined) return withNote(readText(host, place, unsaved, range));
  let handle: FileHandle | undefined;
  try {
    // Asked before opening: opening alone can wait for a pipe's other end or set a device going.
    const kind = await lstat(place.real);
    if (kind.isDirectory()) return refused(`${place.shown} is a folder. Use list_files.`, 'a folder');
    if (!kind.isFile()) return refused(`${place.shown} is no regular file and cannot be read.`, 'no file');
    handle = await openConfined(place);
    if (handle === undefined) return changed(place);
    const image = await readImage(handle, place.shown, host.vision, signal);
    if (image !== undefined) return image;
    const { size } = await handle.stat();
    return size > READ_FILE_BYTES
      ? await readLarge(handle, place, size, range, signal)
      : await readWhole(host, handle, place, range, signal);
  } catch (error) {
    if (signal.aborted) return refused('Stopped.', 'stopped');
    return refused(`${place.shown} cannot be read: ${reasonOf(error)}.`, 'cannot be read');
  } finally {
    await handle?.close();
  }
}

async function readWhole(
  host: ToolHost,
  handle: FileHandle,
  place: FilePlace,
  range: LineRange | undefined,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const bytes = await readSlice(handle, 0, READ_FILE_BYTES + 1, signal);
  if (bytes.length > READ_FILE_BYTES) return changed(place);
  const decoded = decodeBytes(bytes);
  return decoded === undefined ? binary(place) : readText(host, place, decoded.text, range);
}

/** All of a text as decoded, or some lines of it. The model knows so much of the file from now on. */
function readText(host: ToolHost, place: FilePlace, text: string, range: LineRange | undefined): ToolOutcome {
  const lines = linesOf(plainBreaks(shownText(text)));
  if (range !== undefined && range.start > lines.length) return behindTheEnd(place, range, lines.length);
  const all = range === undefined || (range.start === 1 && range.end >= lines.length);
  host.seen.told(place.real, contentHash(text), all && fits(lines));
  if (range === undefined) return whole(lines);
  return some(lines.slice(range.start - 1, range.end), range.start, ` of ${lines.length}`);
}

/** Whether one result holds them with nothing cut. */
function fits(lines: readonly string[]): boolean {
  const window = new LineWindow();
  return lines.every((line) => line.length <= READ_LINE_CHARS && window.add(line));
}

function withNote(outcome: ToolOutcome): ToolOutcome {
  if (!outcome.ok) return outcome;
  const note = '[… this is the text in the editor, with changes that are not saved …]';
  return { ...outcome, content: `${outcome.content}\n${note}`, summary: `${outcome.summary}, not saved` };
}

async function readLarge(
  handle: FileHandle,
  place: FilePlace,
  size: number,
  range: LineRange | undefined,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (range === undefined) {
    const megabytes = Math.round(size / 1_048_576);
    return refused(
      `${place.shown} has ${megabytes} MB, too much to read at once. Use search_text, or read some lines with start_line and end_line.`,
      'too large',
    );
  }
  const found = await findLine(handle, range.start, signal);
  if (found.kind === 'binary') return binary(place);
  if (found.kind === 'missing') return behindTheEnd(place, range, found.lines);
  // More than one result may hold, so that what is cut is cut by the limits of a result.
  const sliceBytes = 4 * READ_BYTES;
  const slice = await readSlice(handle, found.position, sliceBytes, signal);
  const text = decodeText(slice);
  if (text === undefined) return binary(place);
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

function behindTheEnd(place: FilePlace, range: LineRange, lines: number): ToolOutcome {
  const total = counted(lines, 'line', 'lines');
  return refused(`${place.shown} has ${total}; start_line ${range.start} is behind the end.`, 'behind the end');
}

function binary(place: FilePlace): ToolOutcome {
  return refused(`${place.shown} is a binary file, not text.`, 'binary');
}

function changed(place: FilePlace): ToolOutcome {
  return refused(`${place.shown} was replaced or grew while it was read. Try again.`, 'changed');
}
