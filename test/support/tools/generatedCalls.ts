import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/protocol/part';

// Plain steps are the more likely ones, so that many spellings lead somewhere.
const plainStep = fc.constantFrom(
  '.',
  '..',
  'sub',
  'in-dir',
  'out-dir',
  'deep',
  'ws',
  'away',
  'top.txt',
  'inside.txt',
  'secret.txt',
  'new.txt',
);
const anyStep = fc.constantFrom(
  '',
  'out-file',
  'out-relative',
  'out-twice',
  'out-up',
  'dangling-out',
  'dangling-twice',
  'dangling-dir',
  'dangling-in',
  'loop',
  'in-file',
  'to-hidden',
  'to-private',
  'to-hooks',
  'ws-evil',
  'dir',
  'door',
  'private',
  '.env',
  '.ENV',
  '.env.example',
  '.git',
  '.GIT',
  'hooks',
  'run',
  'config',
  'outer.txt',
  '.holdfastignore',
  '%2e%2e',
  '..%2f',
  '~',
  '...',
  '.. ',
  'sub ',
  '\0',
  'file:',
  'C:',
);
const step = fc.oneof({ arbitrary: plainStep, weight: 3 }, { arbitrary: anyStep, weight: 2 });
const start = fc.constantFrom(
  '',
  '',
  '',
  './',
  'ROOT/',
  'sub/../',
  '/',
  '//',
  '../',
  '\\\\?\\',
  'file://',
  'ROOT-evil/',
  'BASE/',
  'BASE/away/',
  'BASE/door/',
);
const spelling = fc
  .tuple(start, fc.array(step, { maxLength: 5 }), fc.constantFrom('/', '/', '/', '\\', '//'))
  .map(([first, steps, separator]) => `${first}${steps.join(separator)}`);
const glob = fc.constantFrom(
  '*',
  '**',
  '../**',
  '/**',
  'BASE/**',
  '**/../away/*',
  '.env',
  '!x',
  '{.env,*.txt}',
  '*secret*',
  'private/**',
  '.e*',
);

/** A call of a tool that takes a path. `ROOT` stands for the workspace folder in it, and `BASE` for the folder around that. */
export interface GeneratedCall {
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * Calls with any spelling of any path in the folders of the guard over all tools. `query`: what is searched for. Tools
 * that start a program are called less often: each of their calls takes as long as ten others.
 */
export function generatedCalls(query: string): fc.Arbitrary<GeneratedCall> {
  return fc.oneof(
    { arbitrary: fc.record({ name: fc.constant('read_file'), args: fc.record({ path: spelling }) }), weight: 25 },
    { arbitrary: fc.record({ name: fc.constant('list_files'), args: fc.record({ path: spelling }) }), weight: 20 },
    { arbitrary: fc.record({ name: fc.constant('diagnostics'), args: fc.record({ path: spelling }) }), weight: 5 },
    {
      arbitrary: fc.record({
        name: fc.constant('write_file'),
        args: fc.record({ path: spelling, content: fc.constantFrom('', 'x\n') }),
      }),
      weight: 20,
    },
    {
      arbitrary: fc.record({
        name: fc.constant('edit_file'),
        args: fc.record({
          path: spelling,
          old_text: fc.constantFrom('', '_', 'harmless', '\n'),
          new_text: fc.constant('changed'),
        }),
      }),
      weight: 20,
    },
    {
      arbitrary: fc.record({ name: fc.constant('find_files'), args: fc.record({ path: spelling, pattern: glob }) }),
      weight: 2,
    },
    {
      arbitrary: fc.record({
        name: fc.constant('search_text'),
        args: fc.record({ path: spelling, query: fc.constant(query), regex: fc.constant(true), glob }),
      }),
      weight: 2,
    },
  );
}
