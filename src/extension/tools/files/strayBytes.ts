import { refused, type ToolOutcome } from '../tool';
import { isForeign, type DecodedText } from './textCodec';

/**
 * Why a file that is not all UTF-8 cannot become this text: what the model was shown as U+FFFD would be written so, or the
 * text would be written in another encoding than the file has. Undefined: it can.
 */
export function strayTrouble(before: DecodedText, after: string, shown: string): ToolOutcome | undefined {
  if (before.text.isWellFormed()) return undefined;
  // Where none of its own bytes stays, there is nothing to garble.
  if (isForeign(before) && !after.isWellFormed() && /[^\0-\x7f]/.test(after.replaceAll(/\p{Cs}/gu, ''))) {
    return refused(
      `${shown} is not encoded in UTF-8: what is not ASCII would be garbled in it. Nothing was changed. Write ASCII only, ` +
        'or convert the file first.',
      'other encoding',
    );
  }
  if (replacements(after) <= replacements(before.text)) return undefined;
  return refused(
    `Some bytes of ${shown} are no characters: they are shown as U+FFFD and cannot be written. Nothing was changed. Leave ` +
      'lines with U+FFFD as they are, or use an old_text that ends before them.',
    'broken characters',
  );
}

function replacements(text: string): number {
  return text.split('\uFFFD').length - 1;
}
