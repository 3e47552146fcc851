import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Order } from './child';
import type { TaskArguments, TaskName, TaskResult } from './tasks/tasks';

/** The bundle of `child.ts`, beside the bundle of this file. */
const PROGRAM = fileURLToPath(new URL('./child.mjs', import.meta.url));

/** From the moment at which all are ready to the moment (ms later) at which they begin: messages take a little. */
const START_DELAY_MS = 50;

/** Runs a task in a fresh process. */
export async function runInChild<Name extends TaskName>(
  task: Name,
  args: TaskArguments<Name>,
): Promise<TaskResult<Name>> {
  const [result] = await runTogether(task, [args]);
  if (result === undefined) throw new Error(`${task} answered nothing`);
  return result;
}

/** Runs a task in as many fresh processes as there are arguments; those that wait for each other begin together. */
export async function runTogether<Name extends TaskName>(
  task: Name,
  each: readonly TaskArguments<Name>[],
): Promise<readonly TaskResult<Name>[]> {
  const children = each.map(() =>
    // Standard output belongs to the one JSON value: what a child prints goes to standard error.
    fork(PROGRAM, { stdio: ['ignore', 2, 2, 'ipc'], execArgv: [] }),
  );
  const end = (): void => children.forEach((child) => child.kill());
  process.once('exit', end);
  try {
    let waiting = 0;
    const meet = (): void => {
      waiting += 1;
      if (waiting < children.length) return;
      const startAt = Date.now() + START_DELAY_MS;
      for (const child of children) send(child, { kind: 'start', startAt });
    };
    const results = await Promise.all(
      children.map((child, index) => resultOf(child, { kind: 'run', task, args: each[index] }, meet)),
    );
    return results as readonly TaskResult<Name>[];
  } finally {
    process.off('exit', end);
    end();
  }
}

function resultOf(child: ChildProcess, order: Order, meet: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.on('message', (answer: Answer) => {
      if (answer.kind === 'ready') meet();
      else if (answer.kind === 'done') resolve(answer.result);
      else reject(new Error(answer.message));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`a process of the bench ended: ${signal ?? code}`)));
    send(child, order);
  });
}

function send(child: ChildProcess, order: Order): void {
  child.send(order);
}
