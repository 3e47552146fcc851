import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GLOB_CHARS, IGNORE_FILE_BYTES, IGNORE_RULES, PATH_CHARS, PATH_STEPS } from '../base/limits';
import { IGNORE_FILE, ignoreRules, readIgnoreRules } from './ignoreRules';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'ignore-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('what is hidden from the agent', () => {
  it('is what the file in the folder says, in the syntax of .gitignore', async () => {
    writeFileSync(path.join(root, IGNORE_FILE), '# secrets\n.env\n*.pem\r\n/keys/\n!public.pem\n');
    const rules = await readIgnoreRules(root);
    const ignored = ['.env', 'a/.env', '.ENV', 'x.pem', 'keys/id', './keys//id', '.env/x'];
    const free = ['.env.example', 'public.pem', 'a/keys/id', '.', '', 'src/app.ts', '../.env'];
    expect(ignored.filter((one) => !rules.isIgnored(one))).toEqual([]);
    expect(free.filter((one) => rules.isIgnored(one))).toEqual([]);
    expect(rules.file).toMatch(/\.holdfastignore$/);
  });

  it('is nothing without such a file', async () => {
    const rules = await readIgnoreRules(root);
    expect([rules.isIgnored('.env'), rules.mayMatch('*'), rules.problem, rules.file]).toEqual([
      false,
      false,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['a folder', (file: string) => mkdirSync(file)],
    ['too large', (file: string) => writeFileSync(file, 'x\n'.repeat(IGNORE_FILE_BYTES))],
    ['binary', (file: string) => writeFileSync(file, 'a\0b')],
    ['of too many rules', (file: string) => writeFileSync(file, 'x\n'.repeat(IGNORE_RULES + 1))],
    ['dear to compare with', (file: string) => writeFileSync(file, `.env\nx/${'**/b/'.repeat(9)}z\n`)],
    ['full of stars', (file: string) => writeFileSync(file, `${'*b'.repeat(40)}z\n`)],
    ['one long line', (file: string) => writeFileSync(file, 'x'.repeat(GLOB_CHARS + 1))],
  ])('is everything while the file is %s, and a sentence says why', async (_, make) => {
    make(path.join(root, IGNORE_FILE));
    const rules = await readIgnoreRules(root);
    expect([rules.isIgnored('a.txt'), rules.mayMatch('a')]).toEqual([true, true]);
    expect(rules.problem).toContain('cannot be read');
  });

  it('says which line cannot be used', async () => {
    writeFileSync(path.join(root, IGNORE_FILE), '# one\n.env\n/a/**/b/**/c/**/d\n');
    expect((await readIgnoreRules(root)).problem).toContain('line 3 has more than');
  });

  it('may be said as people do, with many lines and stars', async () => {
    const usual = [
      '**/secrets/**',
      '!**/a/**/b/**',
      '/a/**/b/**/c/**',
      '*_*.[0-9]*.log*',
      `# ${'*'.repeat(900)} x * ${'y'.repeat(900)}`,
    ];
    writeFileSync(path.join(root, IGNORE_FILE), [...usual, '# no rule'.repeat(IGNORE_RULES)].join('\n'));
    expect((await readIgnoreRules(root)).problem).toBeUndefined();
  });

  it('holds a path that is too deep to compare, and leaves what can be no file', () => {
    const rules = ignoreRules('.env');
    expect(rules.isIgnored('a/'.repeat(PATH_STEPS))).toBe(false);
    expect(rules.isIgnored('a/'.repeat(PATH_STEPS + 1))).toBe(true);
    expect(rules.isIgnored('a/'.repeat(PATH_CHARS))).toBe(false);
  });

  it('may be a folder only, where that is known', () => {
    const rules = ignoreRules('/*/\n!/src/\n');
    expect(rules.isIgnored('README.md', 'file')).toBe(false);
    expect(rules.isIgnored('build', 'folder')).toBe(true);
    expect(rules.isIgnored('src', 'folder')).toBe(false);
    expect(rules.isIgnored('build/x', 'file')).toBe(true);
  });

  it('is the same however an accent is written', () => {
    const rules = ignoreRules('caf\u00e9.txt');
    expect(rules.isIgnored('cafe\u0301.txt')).toBe(true);
    expect(rules.mayMatch('cafe\u0301*')).toBe(true);
  });
});

describe('guard: a word of a command may name what is hidden', () => {
  const rules = ignoreRules('.env\n*.pem\n/keys/\nlogs/**/secret-[0-9].txt\n!public.pem\n');

  it.each([
    '.env',
    './.env',
    '.e*',
    '.e?v',
    '.en[v]',
    '*',
    'a/*',
    '{.env,x}',
    '.{env,foo}',
    '.e{n,m}v',
    '.@(env)',
    '.\\env',
    'k*/id',
    'keys/*',
    '**/x.pem',
    '*.p?m',
    'logs/secret-*.txt',
    'logs/a/b/secret-?.txt',
    '*/../x',
    '$X',
    '.ENV*',
    `${'a'.repeat(600)}*`,
    '[.env',
  ])('%j', async (word) => {
    expect(rules.mayMatch(word)).toBe(true);
  });

  it.each([
    '.env.example',
    'src/*.ts',
    '*.json',
    'README.md',
    'HEAD~1',
    'HEAD@{1}',
    '@types/node',
    'a+b.ts',
    'src/{a,b}.ts/x',
  ])('not %j', (word) => {
    expect(rules.mayMatch(word)).toBe(false);
  });

  const step = fc.constantFrom('a', 'b', 'ab', '.env', 'keys', 'x.pem', 'B');
  const file = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('/'));
  const rule = fc
    .array(fc.constantFrom('a', 'b', '*', '?', '/', '**/', '/**', '[ab]', '.env', '.', '\\a', 'keys/'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((pieces) => pieces.join(''));
  const written = (sign: string, way: string | undefined): string => {
    if (way === '?' || way === '*') return way;
    if (way === '[…]') return `[${sign}_]`;
    if (way === '{…}') return `{_,${sign}}`;
    return way === '\\' ? `\\${sign}` : sign;
  };
  /** A pattern of a shell that matches the file for sure. */
  const patternOf = (name: string): fc.Arbitrary<string> =>
    fc
      .array(fc.constantFrom('as is', '?', '*', '[…]', '{…}', '\\'), { minLength: name.length, maxLength: name.length })
      .map((ways) =>
        name
          .split('')
          .map((sign, index) => (sign === '/' ? sign : written(sign, ways[index])))
          .join(''),
      );

  it('whenever it matches a hidden file, of whatever rules', () => {
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 3 }),
        file.chain((name) => fc.tuple(fc.constant(name), patternOf(name))),
        (lines, [name, pattern]) => {
          const made = ignoreRules(lines.join('\n'));
          fc.pre(made.isIgnored(name));
          expect(made.mayMatch(pattern)).toBe(true);
        },
      ),
      { numRuns: 1500 },
    );
  }, 120_000);
});

describe('guard: rules', () => {
  it('hide at least what git ignores by the same lines', () => {
    const files = ['a', 'b/a', 'b/c/a', 'b/c/.env', '.env', 'keys/a', 'b/keys/a', 'x.pem', 'b/x.pem'];
    const piece = fc.constantFrom(
      'a',
      'b',
      'c',
      '*',
      '?',
      '/',
      '**/',
      '/**',
      '[ab]',
      '.env',
      'keys',
      'x.pem',
      '!',
      ' ',
    );
    const lines = fc.array(
      fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
      { maxLength: 4 },
    );
    execFileSync('git', ['init', '-q', root]);
    for (const file of files) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), '');
    }
    fc.assert(
      fc.property(lines, (rules) => {
        const text = rules.join('\n');
        writeFileSync(path.join(root, '.git/info/exclude'), text);
        const shown = execFileSync('git', ['ls-files', '-oi', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
        const made = ignoreRules(text);
        expect(shown.split('\n').filter((file) => file !== '' && !made.isIgnored(file, 'file'))).toEqual([]);
      }),
      {
        numRuns: 40,
        examples: [[['b**//**']], [['/b**/?']], [['a**/**']], [['keys**/**/']], [['b/**c/a']], [['**c/a']], [['b**']]],
      },
    );
  }, 120_000);
});
