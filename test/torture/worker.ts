/** A window without the editor: store, registry and live conversations as the product has them, and people who use them. */
import type { Log } from '../../src/extension/base/log';
import { InjectedErrors } from './injectedErrors';
import { makeClockJump } from './jumpingClock';
import type { ParentLine } from './lines';
import { sleep, TortureModel } from './model';
import { Person } from './person';
import { listen, tell } from './pipe';
import { Random } from './random';
import { tortureWindow } from './tortureWindow';

export interface WorkerOptions {
  readonly folder: string;
  /** Folder of the files that calls change. */
  readonly files: string;
  readonly seed: number;
  /** Name and life of the worker: what it does follows from it and the seed. */
  readonly topic: string;
}

const PEOPLE = 2;
/** The mean pause (ms) of a person between two actions. */
const THINKING_MS = 180;
/** A file that can be written takes what waits within this time (ms). */
const PEACE_MS = 10_000;

const { folder, files, seed, topic } = JSON.parse(process.argv[2] ?? '{}') as WorkerOptions;
const random = (of: string): Random => new Random(seed, `${topic} ${of}`);

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    tell({ kind: 'broken', text: `${event}: ${error instanceof Error ? error.stack : String(error)}` });
    process.exit(70);
  });
}

const jump = makeClockJump();
const injected = new InjectedErrors(random('errors'));
injected.install();

let calm = false;
let closing = false;
let inPeace = true;
let leave = (): void => undefined;
const left = new Promise<void>((resolve) => {
  leave = resolve;
});
listen<ParentLine>((line) => {
  switch (line.kind) {
    case 'jump':
      return jump(line.ms);
    case 'inject':
      return injected.start(line.code, line.share, line.ms);
    case 'calm':
      calm = true;
      return;
    case 'leave':
      calm = true;
      closing = true;
      inPeace = false;
      return leave();
    case 'close':
      calm = true;
      closing = true;
  }
});

const window = tortureWindow({
  folder,
  files,
  log: pipedLog(''),
  random,
  model: (turn) => new TortureModel(random(`model ${turn}`), `${topic}/${turn}`),
  tell,
});

const { store, registry, witness } = window;

await store.start();
tell({ kind: 'ready' });
const people = Array.from({ length: PEOPLE }, (_, index) =>
  live(new Person({ registry, store, files, random: random(`life ${index}`) }), random(`pauses ${index}`)),
);
await Promise.race([Promise.all(people), left]);
while (!closing) await sleep(20);
// Peace: a machine that is busy is no reason to lose anything.
for (const end = performance.now() + PEACE_MS; inPeace && witness.unwritten > 0 && performance.now() < end;)
  await sleep(20);
await window.close();
tell({ kind: 'closed', unwritten: witness.unwritten, inPeace });
process.exit(0);

async function live(person: Person, pauses: Random): Promise<void> {
  while (!calm) {
    await person.act();
    await sleep(pauses.wait(THINKING_MS));
  }
}

function pipedLog(subject: string): Log {
  return {
    info: (line) => tell({ kind: 'log', text: `${subject}${line}` }),
    warn: (line) => tell({ kind: 'log', text: `${subject}warning: ${line}` }),
    error: (line, error) =>
      tell({ kind: 'log', text: `${subject}error: ${line} ${error instanceof Error ? error.stack : ''}` }),
    sub: (name) => pipedLog(`${subject}${name}: `),
  };
}
