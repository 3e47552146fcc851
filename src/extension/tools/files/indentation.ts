/** Makes the indentation of the file from that of a line of the model. */
export type Reindent = (indent: string) => string;

/** An indentation as the model wrote it, and as it stands in the file. */
export interface IndentPair {
  readonly written: string;
  readonly there: string;
}

const WIDEST = 8;
const USUAL = 4;

/** The white space that a line begins with. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/**
 * How the indentation of a piece differs from what the model wrote, when it does so in the same way on every line: so much
 * more, so much less, in wider or narrower steps, or tabs for spaces. Undefined otherwise. `written`: all indentations of the model's texts, which
 * tell how many spaces it takes for one step.
 */
export function reindentBy(pairs: readonly IndentPair[], written: readonly string[]): Reindent | undefined {
  return pairs.every(({ written: one, there }) => one === there)
    ? (indent) => indent
    : (shifted(pairs) ?? scaled(pairs) ?? spacesToTabs(pairs, written) ?? tabsToSpaces(pairs));
}

/** The file has the same characters more, or less, before every line, and no line is of another kind. */
function shifted(pairs: readonly IndentPair[]): Reindent | undefined {
  const [first] = pairs;
  if (first === undefined || kinds(pairs.map(({ written, there }) => written + there)) > 1) return undefined;
  const more = first.there.length - first.written.length;
  if (pairs.some(({ written, there }) => there.length - written.length !== more)) return undefined;
  const sign = first.there[0] ?? first.written[0] ?? '';
  return (indent) => (more >= 0 ? sign.repeat(more) + indent : indent.slice(Math.min(-more, indent.length)));
}

/** The file has wider or narrower steps of the same character: four spaces where the model wrote two. */
function scaled(pairs: readonly IndentPair[]): Reindent | undefined {
  if (kinds(pairs.map(({ written, there }) => written + there)) > 1) return undefined;
  const first = pairs.find(({ written }) => written !== '');
  if (first === undefined || first.there === '') return undefined;
  const ratio = first.there.length / first.written.length;
  if (pairs.some(({ written, there }) => there.length !== written.length * ratio)) return undefined;
  const sign = first.there[0] ?? '';
  return (indent) => sign.repeat(Math.round(indent.length * ratio));
}

function spacesToTabs(pairs: readonly IndentPair[], written: readonly string[]): Reindent | undefined {
  if (!pairs.every((pair) => /^ *$/.test(pair.written) && /^\t*$/.test(pair.there))) return undefined;
  const step = stepOf(written);
  const widths = [step, ...Array.from({ length: WIDEST }, (_, index) => index + 1)];
  for (const width of widths) {
    const more = constant(pairs.map((pair) => pair.there.length - pair.written.length / width));
    if (more === undefined || !Number.isInteger(more)) continue;
    return (indent) => {
      const tabs = Math.max(0, Math.floor(indent.length / width) + more);
      return '\t'.repeat(tabs) + ' '.repeat(indent.length % width);
    };
  }
  return undefined;
}

function tabsToSpaces(pairs: readonly IndentPair[]): Reindent | undefined {
  if (!pairs.every((pair) => /^\t*$/.test(pair.written) && /^ *$/.test(pair.there))) return undefined;
  const step = stepOf(pairs.map((pair) => pair.there));
  const widths = [step, ...Array.from({ length: WIDEST }, (_, index) => index + 1)];
  for (const width of widths) {
    const more = constant(pairs.map((pair) => pair.there.length - pair.written.length * width));
    if (more !== undefined) return (indent) => ' '.repeat(Math.max(0, indent.length * width + more));
  }
  return undefined;
}

/** The smallest difference between two widths of indentation, from the left edge on. */
function stepOf(indents: readonly string[]): number {
  const widths = [...new Set([0, ...indents.map((indent) => indent.length)])].toSorted((one, other) => one - other);
  const steps = widths.slice(1).map((width, index) => width - (widths[index] ?? 0));
  return steps.length === 0 ? USUAL : Math.min(...steps);
}

function constant(values: readonly number[]): number | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}

/** How many different characters there are in them. */
function kinds(indents: readonly string[]): number {
  return new Set(indents.join('')).size;
}
