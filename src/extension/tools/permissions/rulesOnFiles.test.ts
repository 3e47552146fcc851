import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../protocol/approval';
import { grantsFor } from './grants';
import { coversFile, patternOf } from './rules';
import { editAction } from '../../../../test/support/tools/actions';

function covers(pattern: string, shown: string, platform: NodeJS.Platform = 'linux'): boolean {
  return coversFile({ kind: 'files', pattern }, shown, platform);
}

/** Rules that are offered for an edit of this file, the narrowest first. */
function offeredFor(shown: string): readonly Rule[] {
  return grantsFor(editAction(shown)).flatMap((grant) => (grant.kind === 'rule' ? [grant.rule] : []));
}

const step = fc.oneof(
  fc.constantFrom(
    'src',
    'queue',
    'a',
    'b.ts',
    '.env',
    '..',
    '.',
    '',
    '*',
    '**',
    '[a]',
    '{a,b}',
    '!(a)',
    '(a|b)',
    '+(a)',
    '?',
  ),
  fc.constantFrom(
    'a*',
    '!a',
    '\\',
    'a\\',
    '"a"',
    '@(a)',
    '$',
    '^',
    'a b',
    'ü',
    'a.b',
    '[!a]',
    '[^/]',
    '#a',
    '~',
    'A',
    '[[:alpha:]]',
  ),
  fc.string({ maxLength: 4 }),
);
const steps = fc.array(step, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));
/** Such as a place is seen from the workspace folder. */
const shownPath = steps.filter((shown) => shown.split('/').every((one) => !['', '.', '..'].includes(one)));

describe('guard: a rule on files', () => {
  it('covers one file, a folder with all that is in it, or everything', () => {
    expect(covers('src/a.ts', 'src/a.ts')).toBe(true);
    expect(covers('src/a.ts', 'src/b.ts')).toBe(false);
    expect(covers('src/**', 'src/deep/.hidden/a.ts')).toBe(true);
    expect(covers('src/**', 'srcs/a.ts')).toBe(false);
    expect(covers('src/**', 'lib/src/a.ts')).toBe(false);
    expect(covers('**', '.env')).toBe(true);
    expect(covers('**', 'src/.config/a.ts')).toBe(true);
  });

  it('never covers what is outside, absolute, or leads up', () => {
    for (const shown of ['/etc/passwd', '../a', 'src/../../a', 'src/..', 'c:/a', 'C:\\a', './a', 'a//b', '']) {
      for (const pattern of ['**', 'src/**', '../**', '/**', '**/..', shown])
        expect(covers(pattern, shown)).toBe(false);
    }
  });

  it('tells upper from lower case where the platform does', () => {
    expect(covers('src/A.ts', 'src/a.ts', 'linux')).toBe(false);
    expect(covers('src/A.ts', 'src/a.ts', 'darwin')).toBe(true);
    expect(covers('src/A.ts', 'src/a.ts', 'win32')).toBe(true);
  });

  it('that is about something else covers nothing', () => {
    expect(coversFile({ kind: 'tool', tool: '**' }, 'a')).toBe(false);
    expect(coversFile({ kind: 'program', words: ['**'], exact: false }, 'a')).toBe(false);
  });

  it('offered for one file covers that file alone, whatever its name', () => {
    fc.assert(
      fc.property(shownPath, steps, (shown, other) => {
        const [file] = offeredFor(shown);
        expect(covers(patternOf(shown), other)).toBe(other === shown && !/^[a-z]:/i.test(shown));
        // A name that no pattern can say is offered no rule of its own.
        if (file?.kind === 'files' && file.pattern === patternOf(shown))
          expect(coversFile(file, shown, 'linux')).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('offered for a folder never covers a file outside it, whatever the names', () => {
    fc.assert(
      fc.property(shownPath, steps, (shown, other) => {
        const folder = shown.slice(0, shown.lastIndexOf('/'));
        if (!shown.includes('/') || !covers(`${patternOf(folder)}/**`, other)) return;
        expect(other === folder || other.startsWith(`${folder}/`)).toBe(true);
        expect(other.split('/')).not.toContain('..');
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('what is offered for an edit', () => {
  it('is this file, its folder, and all files', () => {
    expect(offeredFor('src/queue/a.ts')).toEqual([
      { kind: 'files', pattern: 'src/queue/a.ts' },
      { kind: 'files', pattern: 'src/queue/**' },
      { kind: 'files', pattern: '**' },
    ]);
    expect(offeredFor('a.ts')).toEqual([
      { kind: 'files', pattern: 'a.ts' },
      { kind: 'files', pattern: '**' },
    ]);
    expect(offeredFor('a/[id].ts')[0]).toEqual({ kind: 'files', pattern: String.raw`a/\[id\].ts` });
  });

  it('is nothing outside the folder and for guarded places', () => {
    expect(grantsFor(editAction('/etc/hosts', { outside: true }))).toEqual([]);
    expect(grantsFor(editAction('.vscode/tasks.json', { guard: 'settings' }))).toEqual([]);
  });
});
