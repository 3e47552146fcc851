import * as z from 'zod';
import { defineTool } from './defineTool';
import { locate, type FilePlace } from './filePlace';
import { currentText, type CurrentText } from './files/currentFile';
import { answeredFor, changedSince, plannedChange } from './files/plannedChange';
import { rewrittenLines } from './files/rewriteLines';
import { shownText } from './files/textCodec';
import { counted } from './outputText';
import { linesOf, plainBreaks } from './textFile';
import { answered, refused, type Planned } from './tool';
import type { ToolHost } from './toolHost';

/** Makes a file, or replaces all of one that the model has read. */
export const writeFileTool = defineTool({
  name: 'write_file',
  description:
    'Makes a file with this content, and its folders, or replaces a file that you have read. To change a part of a file use edit_file.',
  schema: z.object({
    path: z.string().min(1).describe('File, relative to the workspace folder'),
    content: z.string().describe('All of its new content'),
  }),
  example: { path: 'src/app.ts', content: 'export const answer = 42;\n' },
  readOnly: false,
  plan: async (args, host) => {
    const place = await locate(host, args.path, 'any');
    if (!place.ok) return answered(place.failure);
    const before = await currentText(host, place.value);
    if (!before.ok) return answeredFor(place.value, before.failure);
    return planWrite(host, place.value, before.value, args.content.toWellFormed());
  },
});

function planWrite(host: ToolHost, place: FilePlace, before: CurrentText | undefined, content: string): Planned {
  const lines = counted(linesOf(plainBreaks(content)).length, 'line', 'lines');
  if (before === undefined) {
    const done = `Made ${place.shown} with ${lines}.`;
    return plannedChange(host, { place, before, text: content, whole: true, done });
  }
  const told = host.seen.hashOf(place.real);
  // An empty file holds nothing that could be lost.
  if (before.decoded.text !== '') {
    if (told === undefined) return answeredFor(place, neverRead(place));
    if (told !== before.hash) return answeredFor(place, changedSince(place));
    if (!host.seen.isWhole(place.real)) return answeredFor(place, partlyRead(place));
  }
  const done = `Replaced ${place.shown}: it has ${lines} now.`;
  return plannedChange(host, { place, before, text: likeBefore(before, content), whole: true, done });
}

function neverRead(place: FilePlace): ReturnType<typeof refused> {
  return refused(
    `${place.shown} is there already, and you have not read it here. Nothing was changed. Read it with read_file first, or change a part of it with edit_file.`,
    'not read yet',
  );
}

function partlyRead(place: FilePlace): ReturnType<typeof refused> {
  return refused(
    `You have seen only a part of ${place.shown}, and would replace all of it. Nothing was changed. Change it with edit_file. Only a file that read_file shows whole, without a range, can be replaced.`,
    'read in part',
  );
}

/** The content with the line breaks of the file, unless the model has written some other than `\n` itself. */
function likeBefore({ decoded }: CurrentText, content: string): string {
  const newText = decoded.form.bom ? content.replace(/^\uFEFF/, '') : content;
  if (newText.includes('\r')) return newText;
  return rewrittenLines({
    piece: decoded.text,
    oldText: shownText(decoded.text),
    newText,
    lineBreak: '\n',
    adjust: (line) => line,
  });
}
