import { existsSync, realpathSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rule } from '../../../protocol/approval';
import { grantsFor } from './grants';
import { coversCommand, ruledWords } from './rules';
import { commandAction, isAllowed } from '../../../../test/support/tools/actions';
import { commandLine, programRule, PROGRAMS } from '../../../../test/support/tools/commandLines';
import { ShimShell } from '../../../../test/support/tools/shimShell';

const CASES = 12_000;
/** Different lines that are allowed and so run, of all that are generated. */
const LEAST_ALLOWED = 1_500;

interface Allowed {
  readonly command: string;
  readonly rules: readonly Rule[];
  readonly words: readonly string[];
}

/** The lines that rules allow, each once, out of so many generated ones. */
function allowedLines(): readonly Allowed[] {
  const allowed = new Map<string, Allowed>();
  const property = fc.property(
    commandLine,
    fc.array(programRule, { maxLength: 6 }),
    fc.boolean(),
    (command, given, offered) => {
      // What is offered for a line, as if the person had taken it.
      const taken = grantsFor(commandAction(command)).flatMap((grant) => (grant.kind === 'rule' ? [grant.rule] : []));
      const rules = offered ? [...given, ...taken] : given;
      if (!isAllowed(command, rules)) return;
      allowed.set(command, { command, rules, words: ruledWords(commandAction(command)) ?? [] });
    },
  );
  fc.assert(property, { numRuns: CASES });
  return [...allowed.values()];
}

// By their real paths, since one may be another.
const found = ['/bin/sh', '/bin/dash', '/bin/bash'].filter((program) => existsSync(program));
const shells = [...new Set(found.map((program) => realpathSync(program)))];

describe.skipIf(shells.length === 0)('guard: rules on commands, in a real shell', () => {
  let shell: ShimShell;

  beforeAll(() => {
    shell = new ShimShell(PROGRAMS.split(' '));
  });

  afterAll(() => shell.dispose());

  it('the shell tells of all that a line starts', async () => {
    for (const program of shells) {
      const lines = ["ls; rm 'a b' ''", 'cat <<E | wc\n$(rm x)\nE', 'echo "a && b"', 'nothing', `env "$(lsof)"`];
      expect(await shell.runAll(program, lines)).toEqual([
        [['ls'], ['rm', 'a b', '']],
        expect.arrayContaining([['rm', 'x'], ['cat'], ['wc']]) as string[][],
        [],
        [],
        [['lsof'], ['env', '']],
      ]);
    }
  });

  it(
    `nothing is started but what a rule covers, for ${CASES} generated lines and rules`,
    { timeout: 240_000 },
    async () => {
      const allowed = allowedLines();
      expect(allowed.length).toBeGreaterThan(LEAST_ALLOWED);
      const programs = new Set(PROGRAMS.split(' '));
      for (const program of shells) {
        const ran = await shell.runAll(
          program,
          allowed.map(({ command }) => command),
        );
        expect(ran.length).toBe(allowed.length);
        allowed.forEach(({ command, rules, words }, at) => {
          const what = JSON.stringify([program, command, rules]);
          const startedNow = ran[at] ?? [];
          for (const one of startedNow) {
            expect(
              rules.some((each) => coversCommand(each, one)),
              what,
            ).toBe(true);
            expect(one, what).toEqual(words);
          }
          expect(startedNow.length, what).toBe(programs.has(words[0] ?? '') ? 1 : 0);
        });
        expect(shell.made()).toEqual([]);
      }
    },
  );
});
