import { TASKS, type Meet, type TaskName } from './tasks/tasks';

/** What the parent says to a process of the bench. `startAt`: epoch milliseconds. */
export type Order =
  | { readonly kind: 'run'; readonly task: TaskName; readonly args: unknown }
  | { readonly kind: 'start'; readonly startAt: number };

/** What a process of the bench says to its parent. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly message: string };

/** The program of the bench's own processes: runs the one task that it is told, answers and ends. */
async function main(): Promise<void> {
  let start: (at: number) => void = () => undefined;
  const started = new Promise<number>((resolve) => (start = resolve));
  const meet: Meet = () => {
    answer({ kind: 'ready' });
    return started;
  };
  process.once('disconnect', () => process.exit());
  process.on('message', (order: Order) => {
    if (order.kind === 'start') {
      start(order.startAt);
      return;
    }
    const task = TASKS[order.task] as (args: unknown, meet: Meet) => Promise<unknown>;
    void task(order.args, meet).then(
      (result) => answer({ kind: 'done', result }),
      (error: unknown) =>
        answer({ kind: 'failed', message: error instanceof Error ? (error.stack ?? '') : String(error) }),
    );
  });
}

function answer(value: Answer): void {
  process.send?.(value);
}

void main();
