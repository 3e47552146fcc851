import { appendAtRate } from './appendAtRate';
import { appendCounted } from './appendCounted';
import { endlessCommands } from './endlessCommands';
import { openLastPage } from './openLastPage';
import { printMuch } from './printMuch';
import { servePieces } from './servePieces';
import { streamReply } from './streamReply';
import { streamToView } from './streamToView';

/** Tells the parent that all is prepared, and resolves with the moment (epoch ms) at which all processes begin. */
export type Meet = () => Promise<number>;

/** What can be run in a process of its own. Arguments and results travel as JSON. */
export const TASKS = {
  appendAtRate,
  appendCounted,
  endlessCommands,
  openLastPage,
  printMuch,
  servePieces,
  streamReply,
  streamToView,
} as const;

export type TaskName = keyof typeof TASKS;
export type TaskArguments<Name extends TaskName> = Parameters<(typeof TASKS)[Name]>[0];
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>;
