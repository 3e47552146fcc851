/** The scene of `npm run demo` that is about leave: what the person is asked for, how they answer, and the way back. */

/** @typedef {import('./demoModel.mjs').Ollama} Ollama */
/** @typedef {import('./demoModel.mjs').Opened} Opened */

const MODEL = { name: 'qwen3:14b', capabilities: ['completion', 'tools'], contextLength: 40_960 };

const CLOCK = `/** What time it is; one reading is handed down, so that nobody reads twice. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
`;

const COMMAND = 'npm test -- --run scheduler --repeat 50 --reporter=verbose && git diff --stat';

/** More lines than a card shows. */
const LONG_FILE = Array.from(
  { length: 30 },
  (_, i) => `export const limit${i} = ${i}; // of the queue, in milliseconds`,
).join('\n');

/** Longer than a card is wide, and than it is high: nothing of it may be out of sight. */
const LONG_COMMAND = `npm exec --workspace packages/application-server -- node --test-reporter=spec --test packages/application-server/src/infrastructure/persistence/adapters/sqlite/ConversationRepositoryAdapter.property.test.ts`;

/** Goes on until it is stopped. */
const ENDLESS = 'i=0; while sleep 0.2; do i=$((i+1)); echo "attempt $i of the retry test passed"; done';

const OUTSIDE = '../very-long-organisation-name/registry/settings/production/.npmrc';

const STEPS = [
  { text: 'Read the scheduler', status: 'done' },
  { text: 'Hand one clock reading down through every function of the queue', status: 'in_progress' },
  { text: 'Add a property test with a clock that jumps backwards', status: 'pending' },
];

/**
 * @param {Ollama} ollama
 * @param {(end: () => Promise<void>) => void} keep
 * @param {(host: string) => Promise<Opened>} open
 */
export async function showApprovals({ OllamaServer, say, callTool }, keep, open) {
  const server = await OllamaServer.start({ models: [MODEL] });
  keep(() => server.close());
  const { panel, shoot, close } = await open(server.host);
  const frame = await panel.frame();
  /** @param {string | RegExp} name */
  const press = async (name) => frame.getByRole('button', { name, exact: true }).last().click();
  /** @param {RegExp} name */
  const waitsFor = (name) => frame.getByRole('group', { name }).waitFor();
  /** Opens a menu that a resize may have closed. @param {string | RegExp} button @param {string} name */
  const unfold = async (button, name) => {
    const menu = frame.getByRole('menu', { name });
    if (!(await menu.isVisible())) await press(button);
    await menu.waitFor();
  };

  server.script(callTool('write_file', { path: 'src/queue/clock.ts', content: CLOCK }));
  server.script(callTool('run_command', { command: COMMAND }));
  server.script(callTool('remember', { text: 'Repeat the tests of the queue 50 times: they fail now and then.' }));
  server.script(say('The clock is in place. I have not run the tests, as you said.'));
  await panel.ask('Hand one clock reading down, and see whether the tests still fail.');
  await waitsFor(/^Approval: write clock\.ts/);
  await shoot('approval-edit');
  await shoot('approval-grants', { open: () => unfold('More ways to allow', 'Allow in this workspace') });
  await press('Allow once');
  await waitsFor(/^Approval: run npm test/);
  await shoot('approval-command');
  await press('Deny and say why…');
  await frame.getByRole('textbox', { name: 'Reason for denying' }).fill('Not now, the tests take an hour.');
  await shoot('approval-reason');
  await press('Deny with this reason');
  await waitsFor(/^Approval: remember/);
  await shoot('approval-memory');
  await press('Deny');
  await panel.waitForAnswer();
  await press(/^Wrote clock\.ts/);
  await press(/^Denied: run npm test/);
  await shoot('approval-rows');
  await shoot('approval-modes', { open: () => unfold(/^Mode: /, 'Mode') });
  await frame.getByRole('menuitemradio', { name: /^Bypass/ }).click();
  await (await panel.button('Mode: Bypass')).waitFor();
  await shoot('approval-bypass');

  await panel.startAnew();
  server.script(callTool('todo', { items: STEPS }));
  server.script(callTool('read_file', { path: 'src/queue.js' }));
  server.script(callTool('write_file', { path: 'src/queue.js', content: LONG_FILE }));
  server.script(callTool('write_file', { path: OUTSIDE, content: 'registry=http://127.0.0.1:4873/\n' }));
  server.script(callTool('run_command', { command: LONG_COMMAND }));
  server.script(callTool('run_command', { command: ENDLESS }));
  await panel.ask('Go on with the plan.');
  await waitsFor(/^Approval: (edit|write) queue\.js/);
  await shoot('approval-long-edit');
  await press('Deny');
  await waitsFor(/, outside the workspace folder$/);
  await shoot('approval-outside');
  await press('Deny');
  await waitsFor(/^Approval: run npm exec/);
  await shoot('approval-long-command', { open: () => unfold('More ways to allow', 'Allow in this workspace') });
  await frame.getByRole('menu').press('Escape');
  await press('Deny');
  await waitsFor(/^Approval: run i=0/);
  await press('Allow once');
  await press(/^Running/);
  await frame.getByText(/attempt 9 /).waitFor();
  await shoot('command-running');
  await press('Stop');
  await panel.waitForAnswer();
  server.script(callTool('run_command', { command: 'npm publish --dry-run' }));
  await panel.ask('Publish it.');
  await waitsFor(/^Approval: run npm publish/);
  await press('Stop');
  await panel.waitForAnswer();
  await shoot('approval-expired');
  await close();
}
