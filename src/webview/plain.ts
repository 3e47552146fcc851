/** Control and format signs: they are not seen, or turn other signs round. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

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

/** A joiner after a sign of ASCII joins nothing; in other scripts and in emoji it does. */
function isHarmless(sign: string, before: string): boolean {
  return sign === '\n' || sign === '\t' || (/[\u200c\u200d]/.test(sign) && before > '\u007f');
}

function written(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
}
