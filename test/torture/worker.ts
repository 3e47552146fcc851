/** A window without the editor: store, registry and live conversations as the product has them, and people who use them. */
import { FileWatch } from '../../src/extension/conversations/windows/fileWatch';
import { ConversationRegistry } from '../../src/extension/conversations/registry';
import { systemClock } from '../../src/extension/base/clock';
import type { Log } from '../../src/extension/base/log';
import { Store } from '../../src/extension/storage/store';
import { InjectedErrors } from './injectedErrors';
import { makeClockJump } from './jumpingClock';
import type { ParentLine } from './lines';
import { sleep, TortureModel } from './model';
import { Person } from './person';
import { listen, tell } from './pipe';
import { Random } from './random';
import { memoryTools } from './tools';
import { Witness } from './witness';

export interface WorkerOptions {
  readonly folder: string;
  readonly seed: number;
  /** Name and life of the worker: what it does follows from it and the seed. */
  readonly topic: string;
}

const PEOPLE = 2;
/** The mean pause (ms) of a person between two actions. */
const THINKING_MS = 180;
/** A file that can be written takes what waits within this time (ms). */
const PEACE_MS = 10_000;

const { folder, seed, topic } = JSON.parse(process.argv[2] ?? '{}') as WorkerOptions;
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
listen<ParentLine>((line) => {
  switch (line.kind) {
    case 'jump':
      return jump(line.ms);
    case 'inject':
      return injected.start(line.code, line.share, line.ms);
    case 'calm':
      calm = true;
      return;
    case 'close':
      calm = true;
      closing = true;
  }
});

const log = pipedLog('');
const store = new Store(folder, 'the-machine', log);
const witness = new Witness();
witness.watch(store);
const watch = new FileWatch(store, systemClock, log);
watch.onScreen = true;
const registry = new ConversationRegistry({
  store,
  watch,
  clock: systemClock,
  rescued: (fork) => tell({ kind: 'did', what: 'rescued', conversation: fork.id }),
  log,
  windowsOf: () => ({}),
  isTrusted: () => true,
  prepareTurn: () =>
    Promise.resolve({
      client: new TortureModel(random(`model ${(turns += 1)}`)),
      systemPrompt: 'You are being tortured.',
      background: '',
      vision: false,
      contextLength: 8_192,
      tools: memoryTools(random(`tools ${turns}`)),
    }),
});
let turns = 0;

await store.start();
tell({ kind: 'ready' });
await Promise.all(
  Array.from({ length: PEOPLE }, (_, index) =>
    live(new Person(registry, store, random(`life ${index}`)), random(`pauses ${index}`)),
  ),
);
while (!closing) await sleep(20);
// Peace: a machine that is busy is no reason to lose anything.
for (const end = performance.now() + PEACE_MS; witness.unwritten > 0 && performance.now() < end;) await sleep(20);
await registry.dispose();
watch.dispose();
await store.close();
tell({ kind: 'closed', unwritten: witness.unwritten });
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
