import * as fc from 'fast-check';
import type { Rule } from '../../../src/protocol/approval';

/** Programs that a line of a test may name. None of them is real. */
export const PROGRAMS =
  'ls lsof git npm cargo go docker cat rm grep curl sh bash env find xargs node python3 touch mkdir sudo tee wc sed ' +
  'awk nohup timeout time tsc made a x FOO=1 [ [[ { if then do';
/** What shells have built in, so that no program of that name is started. */
const BUILT_IN: readonly string[] = ['echo', 'printf', 'test', 'pwd', 'true', 'type', 'umask', 'cd'];

const LEADING =
  'ls|cat|grep|wc|echo|printf|test|touch|npm test|npm run build|git status|git log|cargo test|go build|docker compose up';

/** What stands in a word. Most of it means something to a shell that is not in quotes. */
const content = fc.constantFrom(
  'a',
  'x',
  '-la',
  '--all',
  'src/a.ts',
  '--in=b',
  '@x',
  'a,b',
  '%1',
  '+x',
  '1',
  '-v',
  '--',
  'made',

  '',
  'a && b',
  '; rm x',
  '| rm',
  '>made',
  '*',
  '?',
  '[a]',
  '~',
  '{a,b}',
  '!',
  '#x',
  '# rm',
  'a[$(rm x)]',
  '$(rm x)',

  '`rm x`',
  '$FOO',
  '\\',
  '\\n',
  'a\\',
  'ü ✓',
  'it is',
  'FOO=1',
  'if',
  '；rm',
  '()',
  '<(rm)',
  '$',
  "'",
  '"',
  '\n',
  '\t',
);

type Spelling = 'bare' | 'single' | 'double' | 'parts' | 'ansi';
const spelling = fc.constantFrom<Spelling>('bare', 'bare', 'single', 'single', 'double', 'parts', 'ansi');
function spelt([word, how]: readonly [string, Spelling]): string {
  switch (how) {
    case 'bare':
      return word;
    case 'single':
      return `'${word}'`;
    case 'double':
      return `"${word}"`;
    case 'parts':
      return `${word.slice(0, 1)}'${word.slice(1)}'""`;
    case 'ansi':
      return `$'${word}'`;
  }
}

/** One that mostly is well written. */
const argument = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      'a',
      '-la',
      '--all',
      'src/a.ts',
      '--in=b',
      "'a && b'",
      '"a; b"',
      "'$(rm x)'",
      '"a|b"',
      "''",
    ),
    weight: 3,
  },
  { arbitrary: fc.tuple(content, spelling).map(spelt), weight: 1 },
);

/** What makes something else of a line. */
const trick = fc.constantFrom(
  ';',
  '&&',
  '||',
  '|',
  '&',
  '|&',
  ';;',
  '\n',
  '\r',
  '\r\n',
  '\t',
  '\v',
  '\f',
  '\u0001',
  '\u007f',
  '; rm x',
  '&& rm x',
  '| rm x',
  '& rm x',
  '\nrm x',
  '\rrm x',
  '$(rm x)',
  '`rm x`',
  '<(rm x)',
  '>(rm x)',
  '"$(rm x)"',
  '"`rm x`"',
  '> made',
  '>>made',
  '<made',
  '2>made',
  '&>made',
  '>|made',
  '<>made',
  '<<<x',
  '<<E\nrm x\nE\n',
  'FOO=1',
  'PATH=.',

  'FOO+=1',
  'a[1]=2',
  '$FOO',
  '${FOO:-rm}',
  '${x:=$(rm x)}',
  '$((1+1))',
  '$[1]',
  "$'\\n'rm",
  '$"rm"',
  '*',
  '?',
  '[a]',

  '~',
  '~root',
  '{a,rm}',
  '{1..3}',
  '{ rm x; }',
  '( rm x )',
  '@(rm)',
  '!(x)',
  '!',
  '!!',
  '!rm',
  '^a^rm',
  '#',
  '# rm x',

  '\\',
  '\\\n',
  '\\;',
  '\\ ',
  '\u00a0',
  '\u2003',
  '\u3000',
  '\u2028',
  '\u0085',
  '\u200b',
  '\ufeff',
  '\ud800',
  '；',
  '﹔',

  'if true; then rm x; fi',
  'then',
  'for a in b; do rm; done',
  'while',
  'function',
  'time',
  'coproc',
  '[[',
  '[',
  ']',
  'case',
  'eval',
  "eval 'rm x'",
  'exec',
  'exec rm',
  'command',
  'command rm',
  'builtin',
  '.',
  'source',
  'trap',

  "trap 'rm x' EXIT",
  'env',
  'env rm',
  'xargs rm',
  'sudo',
  'sh -c',
  'find -exec',
  'nohup',
  'rm',
  'rm x',
  'f() { rm; };',

  "'",
  '"',
  '""',
  "''",
  "-v 'a[$(rm x)]'",
  '-c',
  '-exec rm {} +',
  'alias ls=rm',
  'set -x;',
  'read',
  'let',
  'wait',
  '%1',
);

const started = fc.oneof(
  { arbitrary: fc.constantFrom(...LEADING.split('|')), weight: 8 },
  {
    arbitrary: fc.constantFrom(...PROGRAMS.split(' '), ...BUILT_IN, 'eval', 'command', './x', 'lsof', 'git', 'npm'),
    weight: 1,
  },
  // bash computes the index of a variable that these name.
  { arbitrary: fc.constantFrom("test -v 'a[$(rm x)]'", "printf -v 'a[$(rm x)]'"), weight: 1 },
);
const plainLine = fc
  .tuple(started, fc.array(argument, { maxLength: 4 }), fc.constantFrom(' ', ' ', '  '))
  .map(([start, words, blank]) => [start, ...words].join(blank));
const trickedLine = fc
  .tuple(plainLine, fc.array(fc.tuple(trick, fc.nat(), fc.boolean()), { minLength: 1, maxLength: 3 }))
  .map(([line, tricks]) =>
    tricks.reduce((text, [piece, seed, apart]) => {
      const at = seed % (text.length + 1);
      return text.slice(0, at) + (apart ? ` ${piece} ` : piece) + text.slice(at);
    }, line),
  );
const wildLine = fc.array(fc.oneof(argument, trick, started), { maxLength: 8 }).map((pieces) => pieces.join(' '));
/** A line that a model might write, or one who means harm. */
export const commandLine = fc.oneof(
  { arbitrary: plainLine, weight: 4 },
  { arbitrary: trickedLine, weight: 4 },
  { arbitrary: wildLine, weight: 1 },
);

const leadingRule = fc.constantFrom(...LEADING.split('|')).map((words) => words.split(' '));
const oddRule = fc.constantFrom(
  [],
  ['sh'],
  ['eval'],
  ['env'],
  ['find'],
  ['git'],
  ['npm'],
  ['npm', 'run'],
  ['rm'],
  [''],
);
const exactRule = fc
  .tuple(started, fc.array(content, { maxLength: 3 }))
  .map(([start, words]) => [...start.split(' '), ...words]);
/** A rule that might stand in the file. */
export const programRule: fc.Arbitrary<Rule> = fc.oneof(
  { arbitrary: leadingRule.map((words): Rule => ({ kind: 'program', words, exact: false })), weight: 4 },
  { arbitrary: oddRule.map((words): Rule => ({ kind: 'program', words, exact: false })), weight: 1 },
  { arbitrary: exactRule.map((words): Rule => ({ kind: 'program', words, exact: true })), weight: 1 },
);
