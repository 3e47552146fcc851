import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ripgrepPath } from '../../src/extension/tools/ripgrep';
import { buildProgram } from '../longrun/program';
import type { WindowMoment } from '../longrun/lines';
import { Window } from '../longrun/window';
import { faultsOf } from '../support/ollama/bodyChecks';
import { callTools, say } from '../support/ollama/chatStep';
import { OllamaServer } from '../support/ollama/ollamaServer';
import { ROOT } from '../support/workbench/tools';
import { Undo } from '../torture/undo';

const PROGRAMS = join(ROOT, 'out', `field-test-${process.pid}`);
const NAMES = ['one.txt', 'two.txt', 'three.txt'];
const INTERRUPTED = /interrupted/;
const NOT_RUN = /not run/;

let folder: string;
let server: OllamaServer;
let undo: Undo;
let conversation: string | undefined;

beforeAll(() => buildProgram(PROGRAMS));
afterAll(() => rm(PROGRAMS, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-killed-'));
  await mkdir(join(folder, 'work'));
  for (const name of NAMES) await writeFile(join(folder, 'work', name), `This is ${name}.`);
  server = await OllamaServer.start({
    models: [{ name: 'long-runner', capabilities: ['completion', 'tools', 'thinking'] }],
  });
  undo = new Undo();
  conversation = undefined;
});

afterEach(async () => {
  undo.all();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A window on the history, which has the conversation open. */
async function openWindow(): Promise<Window> {
  const window = new Window({
    options: {
      history: join(folder, 'history'),
      work: join(folder, 'work'),
      serverUrl: server.url,
      ripgrep: ripgrepPath(ROOT),
      contextLength: 4_096,
      ...(conversation === undefined ? {} : { conversation }),
    },
    programs: PROGRAMS,
    errors: 2,
    undo,
    heard: (line) => {
      if (line.kind === 'open') ({ conversation } = line);
    },
  });
  expect(await window.next('open')).toMatchObject({ kind: 'heard' });
  return window;
}

/** The body of the request that answers "go on" after a window died in a turn with three calls. */
async function bodyAfterDeathAt(moment: WindowMoment): Promise<(typeof server.chats)[number]['chat']> {
  const calls = NAMES.map((path) => ({ name: 'read_file', arguments: { path } }));
  server.script(callTools(calls));
  const first = await openWindow();
  first.dieAt(moment);
  first.send({ clientId: 'first', text: 'Read them all' });
  expect(await first.ended).toBe('SIGKILL');
  const asked = server.chats.length;
  server.script(say('Here I am.'));
  const second = await openWindow();
  const rest = second.next('idle');
  second.send({ clientId: 'second', text: 'go on' });
  expect(await rest).toMatchObject({ kind: 'heard', line: { last: { status: 'done' } } });
  const sent = server.chats[asked];
  expect(sent).toBeDefined();
  expect(faultsOf(sent?.body, { question: 'go on' })).toEqual([]);
  return sent!.chat;
}

/** A moment after the calls are in the file, and what the first results must say. */
const LATER: readonly (readonly [string, WindowMoment, readonly RegExp[]])[] = [
  ['when the first tool runs', 'in_tool', [INTERRUPTED]],
  ['when one result is there and the next tool runs', 'in_next_tool', []],
  ['when all results are there and the next request has not left', 'between', []],
];

// K01
// Each starts two processes.
describe('After a kill -9 in a turn with three calls, the request for “go on” is valid', { timeout: 60_000 }, () => {
  it('when the calls are not in the file yet', async () => {
    const { messages } = await bodyAfterDeathAt('call_made');
    // What the person said twice in a row is told in one message.
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messages[1]?.content).toMatch(/Read them all\n\ngo on$/);
  });

  it.each(LATER)('%s: one result for each call, right after them, in order', async (_, moment, expected) => {
    const { messages } = await bodyAfterDeathAt(moment);
    const calls = messages.flatMap((message) => message.tool_calls ?? []);
    const results = messages.filter(({ role }) => role === 'tool');
    expect(calls.map((call) => call.function.arguments['path'])).toEqual(NAMES);
    expect(results).toHaveLength(NAMES.length);
    for (const [index, { content }] of results.entries()) {
      const isRight = [new RegExp(`This is ${NAMES[index]}`), INTERRUPTED, NOT_RUN].some((word) => word.test(content));
      expect(isRight, content).toBe(true);
      expect(content).toMatch(expected[index] ?? /./);
    }
  });
});
