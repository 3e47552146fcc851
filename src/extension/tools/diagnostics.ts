import * as z from 'zod';
import { PROBLEM_CHARS, PROBLEMS } from '../base/limits';
import { confine } from './confine';
import { defineTool } from './defineTool';
import { counted, cutLine, printable } from './outputText';
import type { Problem } from './problemSource';
import type { ToolOutcome } from './tool';
import { confineVisible } from './visiblePlace';

/** A problem with its file as seen from the workspace folder. */
type Placed = Problem & { readonly shown: string };

/** Tells what the editor's language services have found. */
export const diagnosticsTool = defineTool({
  name: 'diagnostics',
  description:
    'Lists the errors and warnings that the editor shows for files of the workspace folder, errors first. ' +
    'It may know only opened files: to be sure, run the build or the linter.',
  schema: z.object({
    path: z.string().optional().describe('File or folder; everything if absent'),
  }),
  example: { path: 'src' },
  readOnly: true,
  run: async ({ path }, host) => {
    const visible = await confineVisible(host.root, path ?? '.');
    if (!visible.ok) return visible.failure;
    const { place, rules } = visible.value;
    const problems = host.problems.all();
    const shown = new Map<string, string>();
    await Promise.all(
      [...new Set(problems.map((problem) => problem.path))].map(async (file) => {
        const confined = await confine(host.root, file);
        if (confined.ok && !rules.isIgnored(confined.value.shown, 'file')) shown.set(file, confined.value.shown);
      }),
    );
    return told(
      problems.flatMap((problem): readonly Placed[] => {
        const name = shown.get(problem.path);
        const wanted = name !== undefined && [name, '.'].some((one) => one === place.shown);
        return wanted || name?.startsWith(`${place.shown}/`) === true ? [{ ...problem, shown: name ?? '' }] : [];
      }),
    );
  },
});

const SEVERITIES: readonly Problem['severity'][] = ['error', 'warning', 'information', 'hint'];

function told(problems: readonly Placed[]): ToolOutcome {
  if (problems.length === 0) return { ok: true, content: 'No problems are known.', summary: 'no problems' };
  const sorted = problems.toSorted(
    (one, other) =>
      SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
      (one.shown === other.shown ? one.line - other.line : one.shown < other.shown ? -1 : 1),
  );
  const lines = sorted.slice(0, PROBLEMS).map(lineOf);
  const more = sorted.length - lines.length;
  const rest =
    more > 0 ? [`[… ${counted(more, 'more problem', 'more problems')}: look at one file or folder with path …]`] : [];
  return { ok: true, content: [...lines, ...rest].join('\n'), summary: countsOf(problems) };
}

function lineOf({ shown, line, column, severity, source, message }: Placed): string {
  const words = message.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const from = source === undefined ? '' : ` (${source.replaceAll(/[\s\p{Cc}]+/gu, ' ')})`;
  return cutLine(`${printable(shown)}:${line}:${column}: ${severity}${from}: ${words}`, PROBLEM_CHARS);
}

function countsOf(problems: readonly Problem[]): string {
  const count = (severity: Problem['severity']): number => problems.filter((one) => one.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const others = problems.length - errors - warnings;
  return [
    ...(errors === 0 ? [] : [counted(errors, 'error', 'errors')]),
    ...(warnings === 0 ? [] : [counted(warnings, 'warning', 'warnings')]),
    ...(others === 0 ? [] : [counted(others, 'hint', 'hints')]),
  ].join(', ');
}
