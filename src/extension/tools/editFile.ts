import * as z from 'zod';
import { EDIT_PLACES } from '../base/limits';
import { defineTool } from './defineTool';
import { locate, type FilePlace } from './filePlace';
import { currentText, type CurrentText } from './files/currentFile';
import type { Sought } from './files/findText';
import { planEdit, type EditedText } from './files/planEdit';
import { answeredFor, changedSince, plannedChange } from './files/plannedChange';
import { answered, refused, type Planned } from './tool';
import type { ToolHost } from './toolHost';

/** Replaces a text in a file. */
export const editFileTool = defineTool({
  name: 'edit_file',
  description:
    'Replaces old_text, which must be in the file once, by new_text. Copy old_text from the file with enough lines around it to be unique. ' +
    'An empty old_text writes a new or empty file.',
  schema: z.object({
    path: z.string().min(1).describe('File, relative to the workspace folder'),
    old_text: z.string().describe('Text of the file that is replaced'),
    new_text: z.string().describe('What goes there instead'),
    replace_all: z.boolean().optional().describe('Replace it wherever it is'),
  }),
  example: { path: 'src/app.ts', old_text: 'const answer = 41;', new_text: 'const answer = 42;' },
  readOnly: false,
  plan: async (args, host) => {
    const place = await locate(host, args.path, 'any');
    if (!place.ok) return answered(place.failure);
    const before = await currentText(host, place.value);
    if (!before.ok) return answeredFor(place.value, before.failure);
    const sought: Sought = {
      oldText: args.old_text.toWellFormed(),
      newText: args.new_text.toWellFormed(),
      all: args.replace_all ?? false,
    };
    if (sought.oldText === '') return planFill(host, place.value, before.value, sought.newText);
    return planReplace(host, place.value, before.value, sought);
  },
});

/** Nothing is replaced: only where there is nothing, what was meant is certain. */
function planFill(host: ToolHost, place: FilePlace, before: CurrentText | undefined, text: string): Planned {
  if (before !== undefined && before.decoded.text !== '') {
    return answeredFor(
      place,
      refused(
        `${place.shown} is not empty: say with old_text what is replaced. Nothing was changed. To add something, replace the ` +
          'line beside it by that line and what is new.',
        'old_text is empty',
      ),
    );
  }
  const done = before === undefined ? `Made ${place.shown}.` : `Wrote ${place.shown}, which was empty.`;
  return plannedChange(host, { place, before, text, whole: true, done });
}

function planReplace(host: ToolHost, place: FilePlace, before: CurrentText | undefined, sought: Sought): Planned {
  if (before === undefined) {
    return answeredFor(
      place,
      refused(
        `There is no ${place.shown}. Use write_file to make it, or list_files to see what there is.`,
        'not found',
      ),
    );
  }
  const told = host.seen.hashOf(place.real);
  if (told !== undefined && told !== before.hash) return answeredFor(place, changedSince(place));
  const edited = planEdit(before.decoded.text, sought, place.shown);
  if (!edited.ok) return answeredFor(place, edited.failure);
  const done = doneWords(place, edited.value);
  return plannedChange(host, { place, before, text: edited.value.text, whole: false, done });
}

function doneWords(place: FilePlace, { lines, likeness }: EditedText): string {
  const named = lines.slice(0, EDIT_PLACES).join(', ') + (lines.length > EDIT_PLACES ? ', …' : '');
  const where = lines.length === 1 ? `at line ${named}` : `in ${lines.length} places, at lines ${named}`;
  switch (likeness) {
    case 'same':
      return `Edited ${place.shown} ${where}.`;
    case 'line_ends':
      return `Edited ${place.shown} ${where}. White space at the ends of its lines was not as in old_text.`;
    case 'indentation':
      return `Edited ${place.shown} ${where}. It is indented in another way than old_text: new_text was indented like the file.`;
  }
}
