/** The scene of `npm run demo` that is about models: how they are loaded, chosen and pulled, and what fills their window. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MODEL = 'qwen3:14b';
const LONG_NAME = 'hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-1M-GGUF:UD-Q4_K_XL';

const GIGABYTE = 1_000_000_000;

const MODELS = [
  {
    name: MODEL,
    capabilities: ['completion', 'tools', 'thinking', 'vision'],
    size: 9.3 * GIGABYTE,
    parameterSize: '14.8B',
    contextLength: 40_960,
  },
  { name: LONG_NAME, size: 17.7 * GIGABYTE, parameterSize: '30.5B', contextLength: 1_048_576 },
  { name: 'gemma3:12b', capabilities: ['completion', 'vision'], size: 8.1 * GIGABYTE, parameterSize: '12.2B' },
  {
    name: 'gpt-oss:120b-cloud',
    capabilities: ['completion', 'tools', 'thinking'],
    parameterSize: '117B',
    remoteHost: 'https://ollama.com:443',
  },
  { name: 'nomic-embed-text', capabilities: ['embedding'], size: 0.27 * GIGABYTE, parameterSize: '137M' },
];

/** Longer than the panel is high. */
const ANSWER = `The retry test fails because the lease is renewed **after** the deadline is read. Three places matter:

1. \`src/queue/scheduler.ts\` reads the clock twice.
2. \`src/queue/lease.ts\` trusts the older of the two.
3. The test moves the clock between them.

\`\`\`ts
const now = clock.now();
if (lease.until <= now) return retry(job, { deadline: now + job.timeoutMs, attempt: job.attempt + 1 });
\`\`\`

| Place | Reads the clock | Should |
| --- | --- | --- |
| scheduler | twice | once |
| lease | never | be told |

With one reading handed down, the order of the two no longer matters, and the test can be as fast as it likes.`;

const SUMMARY = `## What was asked
The person wants the flaky retry test of \`src/queue/scheduler.ts\` to be understood, then fixed without touching the public API.

## What was found
- \`scheduler.ts\` reads the clock twice; \`lease.ts\` trusts the older reading.
- \`logbook.txt\` holds 400 lines about the wind, none of which matter.

## What is left
Hand one reading down, and add a property test with a clock that jumps backwards.`;

/** The smallest PNG there is. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** @typedef {Awaited<ReturnType<typeof import('./support.mjs').loadOllama>>} Ollama */
/**
 * @typedef {object} Opened
 * @property {string} folder
 * @property {import('../../test/support/workbench/chatPanel').ChatPanel} panel
 * @property {(state: string, of?: { open?: () => Promise<unknown> }) => Promise<void>} shoot
 * @property {() => Promise<void>} close
 */

/**
 * @param {Ollama} ollama
 * @param {(end: () => Promise<void>) => void} keep
 * @param {(host: string) => Promise<Opened>} open
 */
export async function showModel({ OllamaServer, Gate, say, callTool }, keep, open) {
  const server = await OllamaServer.start({ models: MODELS });
  keep(() => server.close());
  const { folder, panel, shoot, close } = await open(server.host);
  const frame = await panel.frame();
  const message = await panel.message();
  /** @param {string | RegExp} name */
  const press = async (name) => (await panel.button(name)).last().click();

  /** Opens what a resize may have closed. @param {RegExp} name @param {import('@playwright/test').Locator} popup */
  const unfold = async (name, popup) => {
    if (!(await popup.isVisible())) await press(name);
    await popup.waitFor();
  };

  const loaded = new Gate();
  server.holdLoads(loaded.opened);
  await press(/^Model: /);
  await frame.getByRole('option', { name: MODEL }).click();
  await frame.locator('input[type=file]').setInputFiles([
    { name: 'screenshot of the failing run, taken on Tuesday.png', mimeType: 'image/png', buffer: PIXEL },
    { name: 'graph.png', mimeType: 'image/png', buffer: PIXEL },
  ]);
  await message.fill('Why does this test fail now and then?');
  await shoot('model-attachments');
  server.script(callTool('read_file', { path: 'logbook.txt' }));
  server.script(say(ANSWER));
  await writeLogbook(folder);
  await message.press('Enter');
  await frame.getByText(/^Loading /).waitFor();
  await shoot('model-loading');
  loaded.open();
  await panel.waitForAnswer();

  server.script(say(ANSWER));
  await panel.ask('And what would you change first?');
  await panel.waitForAnswer();
  await shoot('model-meter');
  await shoot('model-context', { open: () => unfold(/^Context: /, frame.getByRole('dialog', { name: 'Context' })) });
  server.script(say(SUMMARY));
  await press('Compact now');
  await frame.getByRole('note', { name: 'Compacted' }).waitFor();
  await frame.getByText(/^Summarising/).waitFor({ state: 'hidden' });
  await shoot('model-compacted');
  await press('Show summary');
  const showSummary = () => frame.getByRole('note', { name: 'Compacted' }).scrollIntoViewIfNeeded();
  await shoot('model-summary', { open: showSummary });

  await shoot('model-commands', { open: () => message.fill('/') });
  await message.fill('');
  await shoot('model-picker', { open: () => unfold(/^Model: /, frame.getByRole('listbox', { name: 'Model' })) });
  await message.focus();

  for (let n = 1; n <= 50; n += 1)
    server.script(callTool('read_file', { path: 'logbook.txt', start_line: n, end_line: n }));
  server.script(say('I have read the first 50 lines; 350 are left.'));
  await panel.ask('Read the whole logbook, line by line.');
  await panel.waitForAnswer();
  await shoot('model-limit');

  server.models.remove(MODEL);
  await panel.ask('Go on.');
  await frame.getByRole('group', { name: 'Model not found' }).waitFor();
  await shoot('model-not-found');
  await press(`Pull ${MODEL}`);
  await (await panel.button('Try again')).waitFor();
  await shoot('model-pull-failed');
  server.offer({
    model: MODEL,
    layers: [{ digest: 'ab'.repeat(32), total: 9.3 * GIGABYTE, tells: [0, 2.1 * GIGABYTE, 9.3 * GIGABYTE] }],
    hold: (completed) => (completed > 3 * GIGABYTE ? new Gate().opened : undefined),
  });
  await press('Try again');
  await frame.getByRole('progressbar').waitFor();
  await shoot('model-pulling');
  await panel.startAnew();
  await shoot('model-pulls');
  await close();
}

/** A file that fills a good part of the window. @param {string} folder */
async function writeLogbook(folder) {
  const lines = Array.from(
    { length: 400 },
    (_, n) => `Line ${n + 1} of the logbook: the wind has turned to the north.`,
  );
  await writeFile(join(folder, 'logbook.txt'), lines.join('\n'));
}
