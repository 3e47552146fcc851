import * as z from 'zod';

/** Text as ripgrep's JSON gives it: what is no UTF-8 comes as base64. */
const textSchema = z
  .union([
    z.object({ text: z.string() }).transform(({ text }) => text),
    z.object({ bytes: z.string() }).transform(({ bytes }) => Buffer.from(bytes, 'base64').toString('utf8')),
  ])
  .catch('');

const recordSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), data: z.object({ path: textSchema }) }),
  z.object({
    type: z.literal('match'),
    data: z.object({
      path: textSchema,
      lines: textSchema,
      line_number: z.number().nullable(),
      submatches: z.array(z.object({ start: z.number() })),
    }),
  }),
]);

/** What a line of ripgrep's output says, as far as it matters here. */
export type RipgrepRecord =
  | { readonly type: 'begin'; readonly path: string }
  | {
      readonly type: 'match';
      readonly path: string;
      readonly line: number;
      /** The matching line without its end. */
      readonly text: string;
      /** Where the first match begins in it, in UTF-8 bytes. */
      readonly start: number;
    };

/** Reads one line of `rg --json`; undefined for the kinds that are not used. */
export function readRipgrepRecord(line: string): RipgrepRecord | undefined {
  const read = recordSchema.safeParse(parsed(line));
  if (!read.success) return undefined;
  const { type, data } = read.data;
  const path = data.path.replace(/^\.[\\/]/, '').replaceAll('\\', '/');
  if (type === 'begin') return { type, path };
  return {
    type,
    path,
    line: data.line_number ?? 0,
    text: data.lines.replace(/\r?\n$/, ''),
    start: data.submatches[0]?.start ?? 0,
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
