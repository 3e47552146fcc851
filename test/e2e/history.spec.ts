import type { Page } from '@playwright/test';
import { say } from '../support/ollama/chatStep';
import { newContext } from '../support/workbench/browser';
import { openChat } from '../support/workbench/chatPanel';
import { expect, test } from '../support/workbench/fixtures';
import { openHistoryFile } from '../support/workbench/historyFile';
import type { VsCodeServer } from '../support/workbench/server';
import { answerShows } from '../support/workbench/shown';
import { openWorkbench, run } from '../support/workbench/workbench';

async function countIn(server: VsCodeServer, table: string): Promise<number> {
  const connection = await openHistoryFile(server);
  const row = await connection.exclusive((statements) => statements.get(`SELECT count(*) AS n FROM ${table}`));
  await connection.close();
  return Number(row?.['n']);
}

/** Counts all rows of a list of which only a part is drawn, by what assistive technology is told. */
async function listed(page: Page): Promise<number> {
  const row = page.locator('.quick-input-widget .monaco-list-row').first();
  await row.waitFor();
  return Number(await row.getAttribute('aria-setsize'));
}

test.describe('The history of a folder', () => {
  test('comes back whole when everything beside the history file is gone', async ({
    panel,
    ollama,
    browser,
    server,
    folder,
  }) => {
    for (const topic of ['apples', 'pears', 'plums']) {
      ollama.script(say(`About ${topic}.`));
      await panel.startAnew();
      await panel.ask(`A question about ${topic}`);
      await panel.waitForAnswer();
    }
    // What half a thought leaves in the composer is in the file, too.
    await (await panel.message()).fill('And about chestn');
    await expect.poll(() => countIn(server, `draft WHERE text = 'And about chestn'`)).toBe(1);
    // A browser that knows nothing: no mementos, no state of any view.
    const fresh = await newContext(browser);
    try {
      const page = await fresh.context.newPage();
      await openWorkbench(page, server, folder);
      const other = await openChat(page);
      await answerShows(other, 'About plums.');
      await expect(await other.message()).toHaveValue('And about chestn');
      await run(page, 'Holdfast: Resume Conversation…');
      expect(await listed(page)).toBe(await countIn(server, `conversation WHERE kind = 'chat'`));
      await page.keyboard.type('pears');
      await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'pears' }).first().click();
      await answerShows(other, 'About pears.');
    } finally {
      await fresh.context.close();
    }
  });
});
