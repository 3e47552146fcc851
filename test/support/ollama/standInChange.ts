import type { ToolResult } from './standInText';

/** A call that the stand-in makes, and what it thinks before it. */
export interface PlannedCall {
  readonly thought: string;
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

/** Words that ask for a change of a file, and for a command. */
const WANTS_EDIT = /\b(?:edit|change|touch)\b/i;
const WANTS_COMMAND = /\brun\s+(?:[`"'“](?<quoted>[^`"'”]+)[`"'”]|(?<plain>\S.*?))[.?!]?\s*$/i;

/** How a line of a file says something to people: what follows it in the line. Others get it in parentheses. */
const REMARKS: readonly (readonly [RegExp, string])[] = [
  [/\.(?:[cm]?[jt]sx?|c|cpp|h|go|java|rs)$/i, '// '],
  [/\.(?:py|rb|sh|ya?ml|toml)$/i, '# '],
];

/**
 * The call that a wish to change something leads to: `run npm test`, or `edit src/a.ts`, which is read first.
 * Undefined: the question wishes for nothing of the kind, or what it wishes for is done.
 */
export function chooseChange(
  question: string,
  path: string | undefined,
  results: readonly ToolResult[],
  offered: ReadonlySet<string>,
): PlannedCall | undefined {
  if (path !== undefined && WANTS_EDIT.test(question) && offered.has('edit_file')) return editOf(path, results);
  const wish = WANTS_COMMAND.exec(question)?.groups;
  const command = wish?.['quoted'] ?? wish?.['plain'];
  if (command === undefined || results.length > 0 || !offered.has('run_command')) return undefined;
  return { thought: `The user wants ${command} to be run.`, name: 'run_command', args: { command } };
}

/** A remark behind the first line of the file that says anything. */
function editOf(path: string, results: readonly ToolResult[]): PlannedCall | undefined {
  const [read, ...more] = results;
  if (read === undefined)
    return { thought: `I will read ${path} before I edit it.`, name: 'read_file', args: { path } };
  const line = read.content.split('\n').find((one) => /\w/.test(one));
  if (more.length > 0 || read.tool !== 'read_file' || line === undefined) return undefined;
  const mark = REMARKS.find(([names]) => names.test(path))?.[1];
  const edited = mark === undefined ? `${line} (edited by the stand-in)` : `${line} ${mark}edited by the stand-in`;
  return {
    thought: 'Now I know what is in it, and can put a remark behind a line.',
    name: 'edit_file',
    args: { path, old_text: line, new_text: edited },
  };
}
