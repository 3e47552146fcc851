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
  const press = async (name) => (await panel.button(name)).last().click();
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
  await close();
}
