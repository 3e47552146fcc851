import { mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { expect, test } from 'vitest';
import { commandHost } from '../../../test/support/tools/commandHost';
import { BASH } from '../../../test/support/tools/actions';
import { carryOut, runTool } from '../../../test/support/tools/runTool';
import { systemClock } from '../base/clock';
import {
  COMMAND_CHARS,
  COMMAND_HEAD_BYTES,
  COMMAND_LIVE_BYTES,
  COMMAND_LIVE_MS,
  COMMAND_TAIL_BYTES,
} from '../base/limits';
import type { CommandAction } from './action';
import { readCommandTool } from './readCommand';
import { runCommandTool } from './runCommand';
import type { ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';

/** What a result holds beside the output, at most. */
const WORDS_CHARS = 1_000;
const never = new AbortController().signal;

function run(host: ToolHost, command: string, more: object = {}): Promise<ToolOutcome> {
  return runTool(runCommandTool, { command, ...more }, host);
}

/** What was printed, without the first line, which says how it ended. */
function output(outcome: ToolOutcome): string {
  return outcome.content.slice(outcome.content.indexOf('\n') + 1);
}

async function planned(host: ToolHost, args: { readonly [key: string]: unknown }): Promise<CommandAction> {
  const plan = await runCommandTool.plan(args, host, never);
  if (plan.kind !== 'ready' || plan.action?.kind !== 'command') throw new Error('no command was planned');
  return plan.action;
}

test('the model reads the exit code first, then what was printed, in the order in which it was written', async () => {
  const host = await commandHost();
  const outcome = await run(host, 'echo one; echo two >&2; echo three; echo four > /dev/stderr; exit 3');
  expect(outcome).toMatchObject({ ok: true, exitCode: 3 });
  expect(outcome.content).toMatch(/^Exit code 3 after [\d.]+ s\.\none\ntwo\nthree\nfour$/);
  expect(outcome.summary).toMatch(/^exit 3 · [\d.]+ s$/);
});

test('a command that prints nothing says so', async () => {
  const outcome = await run(await commandHost(), 'true');
  expect(output(outcome)).toBe('(It printed nothing.)');
});

test('a command that a signal ends is told as such', async () => {
  const outcome = await run(await commandHost(), 'kill -SEGV $$');
  expect(outcome.content).toMatch(/^Ended by SIGSEGV/);
  expect(outcome).not.toHaveProperty('exitCode');
});

test('a command that is longer than anybody reads is not run, and the model is told what to do instead', async () => {
  const outcome = await run(await commandHost(), `echo ${'x'.repeat(COMMAND_CHARS)}`);
  expect(outcome).toMatchObject({ ok: false, summary: 'too long' });
  expect(outcome.content).toContain('Write it into a file');
});

test('nothing waits for a terminal: standard input is empty, and there is none to ask', async () => {
  const host = await commandHost();
  expect(output(await run(host, 'cat; echo "[$TERM $PAGER $GIT_TERMINAL_PROMPT]"'))).toBe('[dumb cat 0]');
  expect(output(await run(host, 'if (: < /dev/tty) 2>/dev/null; then echo terminal; else echo none; fi'))).toBe('none');
});

test('it runs in the folder that was asked for, and the action says which', async () => {
  const host = await commandHost();
  await mkdir(path.join(host.root, 'src'));
  expect(output(await run(host, 'pwd', { folder: 'src' }))).toBe(path.join(host.root, 'src'));
  expect(await planned(host, { command: ' npm test ', folder: './src/', timeout_seconds: 5 })).toMatchObject({
    kind: 'command',
    command: 'npm test',
    cwd: path.join(host.root, 'src'),
    folder: 'src',
    outside: false,
    timeoutMs: 5_000,
  });
  expect(await planned(host, { command: 'npm test', background: true })).not.toHaveProperty('timeoutMs');
});

test('a folder outside is planned as such, also through a link', async () => {
  const host = await commandHost();
  const above = await realpath(path.dirname(host.root));
  expect(await planned(host, { command: 'ls', folder: '..' })).toMatchObject({
    cwd: above,
    folder: above,
    outside: true,
  });
  await symlink(above, path.join(host.root, 'link'));
  expect(await planned(host, { command: 'ls', folder: 'link' })).toMatchObject({ cwd: above, outside: true });
});

test('a folder that is missing, is a file or goes away before the command runs is told in words', async () => {
  const host = await commandHost();
  expect(await run(host, 'ls', { folder: 'gone' })).toMatchObject({ ok: false, summary: 'not found' });
  await run(host, 'echo x > file; mkdir later');
  expect(await run(host, 'ls', { folder: 'file' })).toMatchObject({ ok: false, summary: 'no folder' });
  const plan = await runCommandTool.plan({ command: 'ls', folder: 'later' }, host, never);
  await rename(path.join(host.root, 'later'), path.join(host.root, 'moved'));
  const outcome = await carryOut(plan);
  expect(outcome).toMatchObject({ ok: false, summary: 'not started' });
  expect(outcome.content).toContain('later is gone');
});

test('an action says whether the command names what is hidden from the agent', async () => {
  const host = await commandHost();
  await writeFile(path.join(host.root, '.holdfastignore'), 'secret.txt\n');
  expect(await planned(host, { command: 'cat secret.txt' })).toMatchObject({ namesIgnored: true });
  expect(await planned(host, { command: 'cat other.txt' })).toMatchObject({ namesIgnored: false });
});

test('a command that is too long for the system is told in words', async () => {
  const { commands, root } = await commandHost();
  const command = `echo ${'x'.repeat(3_000_000)}`;
  const started = await commands.start({ command, cwd: await realpath(root), shell: BASH, background: false });
  expect(started.ok ? '' : started.failure).toContain('too long for this system');
});

test('nobody is asked about a command that is longer than any that could run', async () => {
  const host = await commandHost();
  const plan = await runCommandTool.plan({ command: `echo ${'x y/z '.repeat(500_000)}` }, host, never);
  expect(plan).toMatchObject({ kind: 'answered', outcome: { ok: false, summary: 'too long' } });
});

test('a command that takes longer than it may is ended, and what it printed is told', async () => {
  const outcome = await run(await commandHost(), 'echo begun; sleep 600', { timeout_seconds: 1 });
  expect(outcome).toMatchObject({ ok: false, summary: 'time limit 1 s' });
  expect(outcome.content).toMatch(/^It did not end within 1 s and was ended .*\nbegun$/);
});

test('a log of 5 MB shows its last line, says what is left out, and the rest can be read', async () => {
  const host = await commandHost();
  const outcome = await run(host, 'seq -f "line %.0f of a long log" 1 200000; echo "Error: it failed" >&2; exit 1');
  const { content } = outcome;
  expect(content).toMatch(/^Exit code 1 .*\nline 1 of a long log\n/);
  expect(content.endsWith('line 200000 of a long log\nError: it failed')).toBe(true);
  expect(content.length).toBeLessThan(COMMAND_HEAD_BYTES + COMMAND_TAIL_BYTES + WORDS_CHARS);
  const gap =
    /\n\[… (\d+) lines \([\d.]+ MB\) omitted: read them with read_command id (c\d+) from_line (\d+) …\]\n/.exec(
      content,
    );
  const [, lines, id, from] = gap ?? [];
  const before = content.slice(0, gap?.index).split('\n').length - 1;
  const after = content.slice((gap?.index ?? 0) + (gap?.[0].length ?? 0)).split('\n').length;
  expect(Number(from)).toBe(before + 1);
  expect(before + Number(lines) + after).toBe(200_001);
  const rest = await runTool(readCommandTool, { id, from_line: Number(from) }, host);
  expect(rest.content).toMatch(
    new RegExp(`^\\[${id}, lines ${from}-\\d+\\]\nline ${from} of a long log\nline ${Number(from) + 1} `),
  );
  const middle = await runTool(readCommandTool, { id, from_line: 123_456 }, host);
  expect(middle.content).toContain('\nline 123456 of a long log\n');
  const last = await runTool(readCommandTool, { id, from_line: 200_001 }, host);
  expect(last.content).toBe(`[${id}, lines 200001-200001]\nError: it failed`);
  const behind = await runTool(readCommandTool, { id, from_line: 200_002 }, host);
  expect(behind).toMatchObject({ ok: false, summary: 'behind the end' });
});

test('a line of 50 MB is cut in its middle', async () => {
  const outcome = await run(await commandHost(), 'head -c 50M /dev/zero | tr "\\0" x; echo; echo end');
  expect(outcome.content).toMatch(/x\n\[… 50\.0 MB of this line omitted …\]\nx+\nend$|x\n\[… 1 line .*\]\nx*\n?end$/);
  expect(outcome.content.length).toBeLessThan(COMMAND_HEAD_BYTES + COMMAND_TAIL_BYTES + WORDS_CHARS);
});

test('progress bars show their last state', async () => {
  const outcome = await run(
    await commandHost(),
    'for i in $(seq 2000); do printf "\\r%4d of 2000" $i; done; echo; echo ok',
  );
  expect(output(outcome)).toBe('2000 of 2000\nok');
});

test('characters that are cut by the borders of chunks arrive whole', async () => {
  const host = await commandHost();
  const outcome = await run(host, 'for i in $(seq 3); do printf "\\xe2\\x82"; sleep 0.02; printf "\\xac"; done');
  expect(output(outcome)).toBe('€€€');
});

test('output is shown while the command runs', async () => {
  const host = await commandHost();
  const shown: string[] = [];
  const plan = await runCommandTool.plan({ command: 'echo begun; read x < pipe; echo done' }, host, never);
  await run(host, 'mkfifo pipe');
  if (plan.kind !== 'ready') throw new Error('not planned');
  let begun = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const outcome = plan.run({
    signal: never,
    output: ({ text }) => {
      shown.push(text);
      if (text.includes('begun')) begun();
    },
  });
  await hasBegun;
  await run(host, 'echo go > pipe');
  expect(output(await outcome)).toBe('begun\ndone');
  expect(shown[0]).toBe('begun\n');
});

test('what is printed leaves no file behind', async () => {
  const host = await commandHost();
  await run(host, 'seq 1 100000');
  expect(output(await run(host, 'ls -A'))).toBe('(It printed nothing.)');
});

test('of ten thousand lines a second, the end is shown a few times, and head and tail are answered', async () => {
  const host = await commandHost();
  const command = 'for second in 1 2 3; do seq 10000; done; echo last';
  const plan = await runCommandTool.plan({ command }, host, never);
  const shown: string[] = [];
  const startedAt = systemClock.now();
  const outcome = await carryOut(plan, never, ({ text }) => shown.push(text));
  // However long it takes: not more often than it is said that views get it.
  const most = (systemClock.now() - startedAt) / COMMAND_LIVE_MS + 2;
  expect(shown.length).toBeLessThanOrEqual(most);
  for (const text of shown) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(COMMAND_LIVE_BYTES);
  expect(outcome).toMatchObject({ ok: true, exitCode: 0 });
  expect(outcome.content).toMatch(/\n1\n2\n.*\[… \d+ lines .* omitted: .*\]\n.*\n10000\nlast$/s);
  expect(outcome.content.length).toBeLessThan(COMMAND_HEAD_BYTES + COMMAND_TAIL_BYTES + WORDS_CHARS);
});
