/** The text of `--grep`, which is literal and matches in any case, as the pattern each test runner wants. */

/** @param {string} text @returns {string} source of a regular expression that matches the text itself */
export const literal = (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** The same for a runner that offers no flag for "in any case". @param {string} text */
export const literalInAnyCase = (text) =>
  literal(text).replaceAll(/\p{L}/gu, (letter) => {
    const both = [letter.toLowerCase(), letter.toUpperCase()];
    return both[0] === both[1] || both.some((each) => each.length !== letter.length) ? letter : `[${both.join('')}]`;
  });
