import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endTree, killTree } from './processTree';
import { ROOT } from './tools';

const START_TIMEOUT_MS = 10_000;

export interface StandIn {
  /** `127.0.0.1:PORT`, the form the setting `holdfast.ollama.host` takes. */
  readonly host: string;
  /** Ends it. Twice is harmless. */
  readonly stop: () => Promise<void>;
}

/** Starts the stand-in for Ollama, a server with its protocol and scripted answers, as a process of its own. */
export async function startStandIn(port = 0): Promise<StandIn> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'out', 'ollama-stand-in.mjs'), '--port', String(port), '--exit-with-parent'],
    // It ends with the pipe to its standard input, so it cannot outlive this process.
    { stdio: 'pipe', detached: process.platform !== 'win32' },
  );
  const pid = child.pid;
  if (pid === undefined) throw new Error(`The Ollama stand-in could not be started: ${process.execPath} does not run.`);
  const killAtExit = (): void => killTree(pid);
  process.once('exit', killAtExit);
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    await endTree(pid);
    await ended;
    process.off('exit', killAtExit);
  };
  let output = '';
  const host = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), START_TIMEOUT_MS);
    const answer = (address: string | undefined): void => {
      clearTimeout(timer);
      resolve(address);
    };
    const read = (chunk: unknown): void => {
      output = (output + String(chunk)).slice(-20_000);
      const address = /listening on http:\/\/(\S+:\d+)/.exec(output)?.[1];
      if (address !== undefined) answer(address);
    };
    // Reading goes on after the answer: a full pipe would stop the server.
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => answer(undefined));
  });
  if (host === undefined) {
    await stop();
    throw new Error(`The Ollama stand-in did not start:\n${output}`);
  }
  return { host, stop };
}
