/**
 * Control and format signs, letters and marks that are shown as nothing, and blanks that are none to a program: they are
 * not seen, or turn other signs round.
 */
const UNSEEN = /(?! )[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/**
 * A text that somebody gives leave to, with each sign written out that would be shown as nothing, or that would make
 * the text look like another one.
 */
export function plain(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSEEN, (sign, at: number, whole: string) =>
      isHarmless(sign, whole.charAt(at - 1)) ? sign : written(sign),
    );
}

/**
 * A joiner after a sign of ASCII, or after another that is not seen, joins nothing; in other scripts and in emoji it does.
 * The wide blank belongs to Chinese and Japanese, where it also begins a line.
 */
function isHarmless(sign: string, before: string): boolean {
  const isForeign = before > '\u007f' && before.search(UNSEEN) < 0;
  switch (sign) {
    case '\n':
    case '\t':
      return true;
    case '\u3000':
      return isForeign || /^[\n\u3000]?$/.test(before);
    case '\u200c':
    case '\u200d':
      return isForeign || before === '\ufe0f';
    // How the sign before is shown.
    case '\ufe0e':
    case '\ufe0f':
      return isForeign;
    default:
      return false;
  }
}

function written(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
}
