import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Frame, Page } from '@playwright/test';
import { callTool, failWith, holdUntil, say, think } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import { ApprovalCard } from '../support/workbench/approvalCard';
import { expect, MODEL, test } from '../support/workbench/fixtures';
import { run } from '../support/workbench/workbench';

/** What axe-core finds in the page of the panel, as lines. */
async function violations(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(await readFile(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8'));
  // The page is transparent: axe cannot see what the workbench paints behind it, and would take white.
  await frame
    .locator('body')
    .evaluate((body) => body.style.setProperty('background', 'var(--vscode-sideBar-background)'));
  return frame.evaluate(async () => {
    const { violations: found } = await (globalThis as unknown as { axe: typeof axe }).axe.run('.hf', {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // Experimental, and wrong here: a row's name says as a sentence what the row shows in columns.
      rules: { 'label-content-name-mismatch': { enabled: false } },
    });
    return found.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.any[0]?.message ?? ''}`),
    );
  });
}

/** The built-in kinds of theme, by their names in the picker. */
const THEMES = ['Light Modern', 'Light High Contrast', 'Dark High Contrast', 'Dark Modern'];

/** Chooses a colour theme as a person would, and waits until the panel's page has it. */
async function chooseTheme(page: Page, frame: Frame, name: string): Promise<void> {
  await run(page, 'Preferences: Color Theme');
  const picker = page.locator('.quick-input-widget');
  await picker.locator('input.input').fill(name);
  await picker.locator('.monaco-list-row', { hasText: name }).first().click();
  await expect(frame.locator('body')).toHaveAttribute('data-vscode-theme-name', name);
}

test.describe('The panel', () => {
  test('has no barrier that axe finds, in any of the built-in kinds of theme', async ({ panel, ollama, page }) => {
    ollama.script(
      think('Hm.'),
      say('# Title\n\nA **word**, `code`, [a link](https://example.org).\n\n```ts\nconst a = 1;\n```\n'),
      callTool('list_files', {}),
    );
    ollama.script(say('And then'), failWith('out of memory'));
    await panel.ask('Show me everything');
    await panel.waitForAnswer();
    await (await panel.button(/^Listed/)).click();
    await (await panel.button('Details')).click();
    const frame = await panel.frame();
    for (const theme of THEMES) {
      await chooseTheme(page, frame, theme);
      expect(await violations(frame), theme).toEqual([]);
    }
  });

  test('has none in what asks for leave, nor in what became of it', async ({ panel, ollama, page }) => {
    ollama.script(
      callTool('todo', {
        items: [
          { text: 'Look', status: 'done' },
          { text: 'Write', status: 'in_progress' },
        ],
      }),
      callTool('run_command', { command: 'echo out; false' }),
      callTool('write_file', { path: 'notes.txt', content: 'one\ntwo\n' }),
      callTool('write_file', { path: '../outside.txt', content: 'one\n' }),
    );
    ollama.script(say('Done.'));
    await panel.ask('Write them');
    await new ApprovalCard(panel, 'run echo out; false').press('Allow once');
    await new ApprovalCard(panel, 'write notes.txt').press('Deny');
    const frame = await panel.frame();
    await frame.getByRole('group', { name: /, outside the workspace folder$/ }).waitFor();
    await (await panel.button(/^Ran echo out/)).click();
    await (await panel.button('Denied: write notes.txt')).click();
    for (const theme of THEMES) {
      await chooseTheme(page, frame, theme);
      expect(await violations(frame), theme).toEqual([]);
    }
    await (await panel.button('Stop')).click();
    await frame.getByRole('group', { name: /^Approval expired: / }).waitFor();
    expect(await violations(frame)).toEqual([]);
  });

  test('has none in what opens above the composer, in a pull, and in a summary', async ({ panel, ollama, page }) => {
    const frame = await panel.frame();
    const message = await panel.message();
    ollama.script(say('Apples are red.'));
    ollama.script(say('Pears are green.'));
    await panel.ask('What of apples?');
    await panel.waitForAnswer();
    await panel.ask('What of pears?');
    await panel.waitForAnswer();

    // By the keyboard alone: to the meter, to its button, and back to the meter.
    ollama.script(say('## Asked\n\nWhat apples and `pears` are.'));
    const meter = await panel.button(/^Context: /);
    await meter.focus();
    await page.keyboard.press('Enter');
    const dialog = frame.getByRole('dialog', { name: 'Context' });
    await expect(dialog).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(await panel.button('Compact now')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(meter).toBeFocused();
    await (await panel.button('Show summary')).press('Enter');
    await expect(frame.getByRole('note', { name: 'Compacted' })).toContainText('What apples');

    // A pull that stands still, below the conversation that misses the model.
    ollama.models.add({ name: 'blind:1b', capabilities: ['completion'] });
    ollama.models.add({ name: 'c:cloud', remoteHost: 'https://ollama.com:443' });
    ollama.models.add({ name: 'embed:1b', capabilities: ['embedding'] });
    ollama.models.remove(MODEL);
    ollama.offer({ model: MODEL, hold: (completed) => (completed > 0 ? new Gate().opened : undefined) });
    await panel.ask('And of plums?');
    const notice = frame.getByRole('group', { name: 'Model not found' });
    await (await panel.button(`Pull ${MODEL}`)).press('Enter');
    await expect(notice).toBeFocused();
    const progress = frame.getByRole('progressbar', { name: `Pulling ${MODEL}` });
    await expect(progress).toBeVisible();
    const image = { name: 'plums.png', mimeType: 'image/png', buffer: Buffer.from('no matter') };
    await frame.locator('input[type=file]').setInputFiles([image]);

    for (const theme of THEMES) {
      await chooseTheme(page, frame, theme);
      expect(await violations(frame), theme).toEqual([]);
      await meter.press('Enter');
      await expect(dialog).toBeFocused();
      expect(await violations(frame), `${theme}, context`).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(meter).toBeFocused();
      await (await panel.button(/^Model: /)).press('Enter');
      await expect(frame.getByRole('listbox', { name: 'Model' })).toBeFocused();
      await page.keyboard.press('ArrowDown');
      expect(await violations(frame), `${theme}, models`).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(message).toBeFocused();
      await page.keyboard.type('/');
      await expect(frame.getByRole('listbox', { name: 'Commands' })).toBeVisible();
      expect(await violations(frame), `${theme}, commands`).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Backspace');
    }
    await (await panel.button(`Cancel pulling ${MODEL}`)).press('Enter');
    await expect(progress).toBeHidden();
    await expect(notice).toBeFocused();
  });

  test('is driven by the keyboard alone, and an Enter that ends an IME composition sends nothing', async ({
    panel,
    ollama,
    page,
  }) => {
    ollama.models.add('second:2b');
    const message = await panel.message();
    await message.focus();
    await page.keyboard.type('first line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('second line');
    await expect(message).toHaveValue('first line\nsecond line');

    await message.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await message.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    await expect(message).toHaveValue('first line\nsecond line');
    expect(ollama.chats).toHaveLength(0);

    await page.keyboard.press('Control+Alt+.');
    const list = (await panel.frame()).getByRole('listbox', { name: 'Model' });
    await expect(list).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
    await expect(message).toHaveValue('first line\nsecond line');

    ollama.script(say('Read.'), holdUntil(new Gate().opened));
    await message.focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await panel.transcript()).at(-1)?.text ?? '').toContain('Read.');
    expect((await panel.transcript())[0]?.text).toContain('first line\nsecond line');
    await page.keyboard.press('Escape');
    expect((await panel.waitForAnswer()).name).toMatch(/stopped$/);
    expect((await ollama.nextChat()).chat.model).toBe(MODEL);
    await page.keyboard.press('ArrowUp');
    await expect(message).toHaveValue('first line\nsecond line');
  });

  test('runs and fetches nothing that a model writes', async ({ panel, ollama, workbench }) => {
    ollama.script(
      say(
        '![x](https://example.org/?d=secret) <img src="https://example.org/i" onerror="document.title=1"> ',
        '[a](javascript:alert(1)) [b](command:workbench.action.quit) <iframe srcdoc="x"></iframe>\n\n',
        '```html"><script>document.title=1</script>\n<svg><image href="https://example.org/s"/></svg>\n```\n',
      ),
    );
    await panel.ask('Attack');
    await panel.waitForAnswer();
    const log = (await panel.frame()).getByRole('log', { name: 'Conversation' });
    expect(await log.locator('img, iframe, script, svg image, [href], [src], [onerror]').count()).toBe(0);
    expect(workbench.blocked).toEqual([]);
  });
});
