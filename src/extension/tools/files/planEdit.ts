import { EDIT_ALIKE_CHARS, EDIT_PLACES, EDIT_PLACES_REPLACED } from '../../base/limits';
import { failed, succeeded, type Result } from '../../base/result';
import { refused, type ToolOutcome } from '../tool';
import { findText, hasLines, type Found, type Likeness, type Sought } from './findText';
import { indentOf, type Reindent } from './indentation';
import { breakFinder, lineNumbersAt, unixBreaks } from './lineBreaks';
import { nearestLines } from './nearestLines';
import { rewrittenLines } from './rewriteLines';
import { shownText } from './textCodec';

/** What an edit makes of a text. */
export interface EditedText {
  readonly text: string;
  /** Numbers of the lines, counted from 1, at which the old text stood. */
  readonly lines: readonly number[];
  readonly likeness: Likeness;
}

/**
 * Replaces a text that stands in the file once, or everywhere. What lies outside of it stays as it is to the last byte,
 * and so do its lines that the new text has, too. The failure tells the model what it can do.
 * @param text as decoded, with what stands for bytes that are no characters
 * @param shown the file as the model knows it
 */
export function planEdit(text: string, sought: Sought, shown: string): Result<EditedText, ToolOutcome> {
  const visible = shownText(text);
  const { places, likeness } = findText(visible, sought);
  const [first, ...others] = places;
  if (first === undefined) return failed(missing(visible, sought, shown));
  if (places.length > EDIT_PLACES_REPLACED) return failed(tooMany(shown));
  const lines = lineNumbersAt(
    visible,
    places.map(({ start }) => start),
  );
  if (others.length > 0 && !sought.all) return failed(ambiguous(lines, shown));
  const breakAt = breakFinder(text);
  const pieces: string[] = [];
  let done = 0;
  for (const place of places) {
    pieces.push(text.slice(done, place.start), rewritten(text, place, sought, breakAt(place.start)));
    done = place.end;
  }
  return succeeded({ text: [...pieces, text.slice(done)].join(''), lines, likeness });
}

function rewritten(text: string, { start, end, reindent }: Found, sought: Sought, lineBreak: string): string {
  const piece = text.slice(start, end);
  // The model takes the last line for closed, which it is not: it stays so.
  const open = /[\r\n]$/.test(sought.oldText) && !/[\r\n]$/.test(piece);
  return rewrittenLines({
    piece,
    oldText: open ? unclosed(sought.oldText) : sought.oldText,
    newText: open ? unclosed(sought.newText) : sought.newText,
    lineBreak,
    adjust: (line) => reindented(line, reindent),
  });
}

function unclosed(text: string): string {
  return text.replace(/(?:\r\n|\r|\n)$/, '');
}

function reindented(line: string, reindent: Reindent): string {
  if (line.trim() === '') return line;
  const indent = indentOf(line);
  return reindent(indent) + line.slice(indent.length);
}

function ambiguous(lines: readonly number[], shown: string): ToolOutcome {
  const named = lines.slice(0, EDIT_PLACES).join(', ');
  const more = lines.length > EDIT_PLACES ? ', …' : '';
  return refused(
    `old_text is in ${shown} ${lines.length} times, at lines ${named}${more}. Nothing was changed. Add lines around the one ` +
      'that is meant until old_text is there once, or set replace_all.',
    `${lines.length} places`,
  );
}

function tooMany(shown: string): ToolOutcome {
  return refused(
    `old_text is in ${shown} more than ${EDIT_PLACES_REPLACED} times, too often. Nothing was changed. Take a longer old_text.`,
    `${EDIT_PLACES_REPLACED}+ places`,
  );
}

function missing(visible: string, { oldText, newText }: Sought, shown: string): ToolOutcome {
  if (visible.length > EDIT_ALIKE_CHARS) {
    return refused(
      `old_text is not in ${shown} to the letter, and in so long a file nothing like it is looked for. Nothing was changed. ` +
        'Find the lines with search_text, read them with start_line and end_line, and copy them as they are.',
      'not found',
    );
  }
  const made = standsThere(visible, newText) ? ' new_text is there already: the edit may have been made before.' : '';
  const near = nearestLines(visible, oldText);
  const help =
    near === undefined
      ? `Nothing like it is there. Read the file again and copy the lines as they are.`
      : `What is most like it:\n${near}\nCopy the lines as they are (without their numbers), or read the file again.`;
  return refused(`old_text is not in ${shown}. Nothing was changed.${made} ${help}`, 'not found');
}

/** Whether the text stands there as whole lines: a word or a bracket of it that is found somewhere says nothing. */
function standsThere(visible: string, newText: string): boolean {
  const wanted = unixBreaks(newText).trim();
  return /[\p{L}\p{N}]/u.test(wanted) && hasLines(visible, wanted);
}
