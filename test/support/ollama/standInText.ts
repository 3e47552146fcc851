import type { JsonObject } from './goJson';

/** The result of a tool call that the stand-in made. */
export interface ToolResult {
  readonly tool: string;
  readonly args: JsonObject;
  readonly content: string;
}

const QUOTED_LINES = 12;
const LISTED_ENTRIES = 20;
const LONG_ANSWER_SECTIONS = 8;

const DISCLAIMER =
  '_This answer was put together by a script from what the tools returned. No language model was involved._';

/** A Markdown answer that quotes what the tools returned. */
export function describeResults(results: readonly ToolResult[]): string {
  return [...results.map(describe), DISCLAIMER].join('\n\n');
}

/** The answer to a question for which there is no tool to call. */
export function plainAnswer(question: string): string {
  return [
    'I am a **scripted stand-in**, not a language model: I call tools by simple rules and repeat what they return.',
    'I was offered no tool for this, so all I can do is to repeat what you wrote:',
    quote(question),
  ].join('\n\n');
}

/** About 400 words with several kinds of Markdown blocks, to watch how an answer streams. */
export function longAnswer(): string {
  const sections = Array.from({ length: LONG_ANSWER_SECTIONS }, (_, index) => {
    const part = `${index + 1} of ${LONG_ANSWER_SECTIONS}`;
    return [
      `## Part ${part}`,
      `This is part ${part} of a long answer from a scripted stand-in. It says nothing of interest; it is here to show how **text arrives word by word**, how the view follows it, and what happens when you scroll up to read while more is on its way.`,
      index % 2 === 0
        ? `- a first point in part ${index + 1}\n- a second point with \`inline code\`\n- a third point`
        : `\`\`\`ts\nexport const part = ${index + 1};\nexport const parts = ${LONG_ANSWER_SECTIONS};\n\`\`\``,
    ].join('\n\n');
  });
  return ['# A long answer', ...sections, 'That is all. You can stop such an answer at any time.'].join('\n\n');
}

function describe(result: ToolResult): string {
  if (isError(result.content)) {
    return `**\`${result.tool}\` did not work.** It answered:\n\n${quote(result.content)}`;
  }
  switch (result.tool) {
    case 'read_file':
      return describeFile(result);
    case 'list_files':
      return describeListing(result);
    case 'search_text':
      return describeMatches(result);
    default:
      return `\`${result.tool}\` returned:\n\n${fence(result.content.split('\n').slice(0, QUOTED_LINES))}`;
  }
}

function describeFile({ args, content }: ToolResult): string {
  const path = textOf(args['path']);
  const lines = linesOf(content);
  const shown = lines.slice(0, QUOTED_LINES);
  const howMany = shown.length < lines.length ? `The first ${shown.length} are` : 'These are';
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? '';
  return [
    `I read \`${path}\`. I got **${count(lines.length, 'line')}**. ${howMany}:`,
    fence(shown, extension === 'md' ? 'markdown' : extension),
  ].join('\n\n');
}

function describeListing({ args, content }: ToolResult): string {
  const entries = filledLinesOf(content);
  const folders = entries.filter((entry) => entry.trimEnd().endsWith('/')).length;
  return [
    `The listing of \`${textOf(args['path']) || '.'}\` has **${entries.length === 1 ? '1 entry' : `${entries.length} entries`}**:`,
    bullets(entries),
    `| kind | number |\n| --- | ---: |\n| folders | ${folders} |\n| other entries | ${entries.length - folders} |`,
  ].join('\n\n');
}

function describeMatches({ args, content }: ToolResult): string {
  const lines = filledLinesOf(content);
  return [
    `The search for \`${textOf(args['query'])}\` returned **${count(lines.length, 'line')}**:`,
    fence(lines.slice(0, QUOTED_LINES)),
  ].join('\n\n');
}

function isError(content: string): boolean {
  return /^\W*(?:error|failed|denied|interrupted)\b/i.test(content);
}

function bullets(entries: readonly string[]): string {
  const shown = entries.slice(0, LISTED_ENTRIES).map((entry) => `- \`${entry.trim()}\``);
  const left = entries.length - shown.length;
  return (left > 0 ? [...shown, `- … and ${left} more`] : shown).join('\n');
}

/** A fence longer than any in the quoted text, so that the text cannot end it. */
function fence(lines: readonly string[], language = ''): string {
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function linesOf(content: string): string[] {
  return content.replace(/\n$/, '').split('\n');
}

function filledLinesOf(content: string): string[] {
  return content.split('\n').filter((line) => line.trim() !== '');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
