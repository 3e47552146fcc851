import { writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { expect, test, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manualClock';
import { commandHost } from '../../../test/support/tools/commandHost';
import { whenGone, whenWritten } from '../../../test/support/tools/processes';
import { carryOut, runTool } from '../../../test/support/tools/runTool';
import { isRunning } from './commands/processTable';
import { readCommandTool } from './readCommand';
import { runCommandTool } from './runCommand';
import { sendInputTool } from './sendInput';
import { stopCommandTool } from './stopCommand';
import type { ToolHost } from './toolHost';

const never = new AbortController().signal;

/** A daemon by the book: it leaves group, session and parent, and holds nothing open. It writes its number to a file. */
const DAEMON = `(setsid sh -c '(sh -c "echo \\$\\$ > daemon; exec sleep 600" &) ' > /dev/null 2>&1 < /dev/null &)`;

/** Runs a command that does not end, until it has written the numbers of processes into `pids`; Stop is `stop`. */
async function runUntilWritten(
  host: ToolHost,
  command: string,
): Promise<{ readonly pids: readonly number[]; readonly ended: Promise<unknown>; stop(): void }> {
  const stop = new AbortController();
  const plan = await runCommandTool.plan({ command }, host, stop.signal);
  const ended = carryOut(plan, stop.signal);
  return { pids: await whenWritten(path.join(host.root, 'pids')), ended, stop: () => stop.abort() };
}

test('Stop ends a command that never ends, with all that it started', async () => {
  const run = await runUntilWritten(await commandHost(), 'sleep 600 & sleep 601 & echo "$$ $!" > pids; wait');
  expect(run.pids).toHaveLength(2);
  run.stop();
  expect(await run.ended).toMatchObject({ ok: false, summary: 'stopped' });
  await whenGone(run.pids);
});

test('Stop ends a command that does not end when asked to', async () => {
  const run = await runUntilWritten(
    await commandHost(),
    `trap '' TERM INT HUP; echo $$ > pids; while :; do sleep 1; done`,
  );
  run.stop();
  await run.ended;
  await whenGone(run.pids);
});

test('Stop ends a command that prints without end', async () => {
  const run = await runUntilWritten(await commandHost(), 'echo $$ > pids; yes');
  run.stop();
  await run.ended;
  await whenGone(run.pids);
});

test('Stop ends a daemon that has left its group, its session and its parent', async () => {
  const host = await commandHost();
  const wait = 'until [ -s daemon ]; do sleep 0.01; done';
  const run = await runUntilWritten(host, `${DAEMON}; ${wait}; echo "$$ $(cat daemon)" > pids; sleep 600`);
  expect(run.pids).toHaveLength(2);
  run.stop();
  await run.ended;
  await whenGone(run.pids);
});

test('a daemon that a command left behind is told, and is gone once everything is stopped', async () => {
  const host = await commandHost();
  const command = `${DAEMON}; until [ -s daemon ]; do sleep 0.01; done; cat daemon`;
  const outcome = await runTool(runCommandTool, { command }, host);
  const [, left] = /^It left running in the background: (\d+) \(/m.exec(outcome.content) ?? [];
  const pid = Number(left);
  expect(outcome.content.endsWith(`\n${pid}`)).toBe(true);
  expect(isRunning(pid)).toBe(true);
  await host.commands.stopAll();
  await whenGone([pid]);
});

test('a daemon that holds the output open does not hold up the answer, and can be read and stopped', async () => {
  const host = await commandHost();
  const command = 'sh -c \'echo "$$ began"; mkfifo go; read x < go; echo later; sleep 600\' & echo main';
  const outcome = await runTool(runCommandTool, { command }, host);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.content).toContain('It left running in the background');
  const [, pid] = /^(\d+) began$/m.exec(outcome.content) ?? [];
  await runTool(runCommandTool, { command: 'echo x > go' }, host);
  const read = async (): Promise<string> => (await runTool(readCommandTool, { id: 'c1' }, host)).content;
  await vi.waitUntil(async () => (await read()).endsWith('\nlater'), { timeout: 10_000, interval: 10 });
  expect(await runTool(stopCommandTool, { id: 'c1' }, host)).toMatchObject({ ok: true });
  await whenGone([Number(pid)]);
});

test('a command in the background answers with its id, is read on, typed into and stopped', async () => {
  const host = await commandHost();
  const args = { command: 'echo ready; while read line; do echo "got $line"; done; sleep 600', background: true };
  const outcome = await runTool(runCommandTool, args, host);
  expect(outcome).toMatchObject({ ok: true, summary: 'c1 runs' });
  expect(outcome.content).toMatch(/with id c1.*\nready$/);
  const typed = await sendInputTool.plan({ id: 'c1', text: 'hello\n' }, host, never);
  expect(typed).toMatchObject({ action: { kind: 'input', command: args.command, text: 'hello\n' } });
  await runTool(sendInputTool, { id: 'c1', text: 'hello\n' }, host);
  const read = async (): Promise<string> => (await runTool(readCommandTool, { id: 'c1' }, host)).content;
  await vi.waitUntil(async () => (await read()).endsWith('\ngot hello'), { timeout: 10_000, interval: 10 });
  expect(await read()).toMatch(/^c1 still runs: .*\n\(It printed nothing more\.\)$/);
  const stopped = await runTool(stopCommandTool, { id: 'c1' }, host);
  expect(stopped.content).toMatch(/^c1 and everything that it started is ended\.\nEnded by SIGTERM/);
  expect(await runTool(sendInputTool, { id: 'c1', text: 'x' }, host)).toMatchObject({ ok: false, summary: 'no input' });
});

test('input that names what is hidden from the agent says so: it may be typed into a shell', async () => {
  const host = await commandHost();
  await writeFile(path.join(host.root, '.holdfastignore'), 'secret.txt\n');
  await runTool(runCommandTool, { command: 'sh', background: true }, host);
  const typed = await sendInputTool.plan({ id: 'c1', text: 'cat secret.txt\n' }, host, never);
  expect(typed).toMatchObject({ action: { kind: 'input', namesIgnored: true } });
});

test('a command in the background that ends at once answers with its exit code', async () => {
  // On this clock nothing is waited for but the end.
  const host = await commandHost(new ManualClock());
  const args = { command: 'echo no such port >&2; exit 7', background: true };
  const outcome = await runTool(runCommandTool, args, host);
  expect(outcome).toMatchObject({ ok: true, exitCode: 7 });
  expect(outcome.content).toContain('no such port');
});

test('waiting for a command ends with the command', async () => {
  const host = await commandHost();
  await runTool(runCommandTool, { command: 'read x; exit 4', background: true }, host);
  const waiting = runTool(readCommandTool, { id: 'c1', wait_seconds: 100 }, host);
  await runTool(sendInputTool, { id: 'c1', text: 'x\n' }, host);
  expect(await waiting).toMatchObject({ ok: true, exitCode: 4 });
});

test('an id that names no command is told, with those that there are', async () => {
  const host = await commandHost();
  for (const tool of [readCommandTool, stopCommandTool]) {
    const outcome = await runTool(tool, { id: 'c9' }, host);
    expect(outcome.content).toContain('There is no command with id "c9". There is none');
  }
  await runTool(runCommandTool, { command: 'true' }, host);
  expect((await runTool(sendInputTool, { id: 'c9', text: 'x' }, host)).content).toContain('There is c1');
});

test('only so many commands run at once', async () => {
  const host = await commandHost();
  const starts = Array.from({ length: 8 }, () =>
    runTool(runCommandTool, { command: 'sleep 600', background: true }, host),
  );
  expect((await Promise.all(starts)).every(({ ok }) => ok)).toBe(true);
  const outcome = await runTool(runCommandTool, { command: 'true' }, host);
  expect(outcome.content).toMatch(/^8 commands run already \(c1, .*c8\)/);
  await host.commands.stopAll();
  expect(await runTool(runCommandTool, { command: 'true' }, host)).toMatchObject({ exitCode: 0 });
}, 60_000);

test('a command that is being started when everything is stopped does not run on', async () => {
  const host = await commandHost();
  const plan = await runCommandTool.plan({ command: 'sleep 600', background: true }, host, never);
  const outcome = carryOut(plan);
  await host.commands.stopAll();
  expect(await outcome).toMatchObject({ ok: false });
});
