import type { BrowserContext, Locator } from '@playwright/test';
import { holdUntil, say } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import { openChat, type ChatPanel } from '../support/workbench/chatPanel';
import { expect, MODEL, test } from '../support/workbench/fixtures';
import type { VsCodeServer } from '../support/workbench/server';
import { answerShows, names } from '../support/workbench/shown';
import { openWorkbench } from '../support/workbench/workbench';

/** A second window on the same folder, with the chat open. */
async function secondWindow(context: BrowserContext, server: VsCodeServer, folder: string): Promise<ChatPanel> {
  const page = await context.newPage();
  await page.bringToFront();
  await openWorkbench(page, server, folder);
  return openChat(page);
}

async function elsewhere(panel: ChatPanel): Promise<Locator> {
  return (await panel.frame()).getByRole('status', { name: 'Running in another window' });
}

test.describe('Two windows on one conversation', () => {
  test('do not disturb each other: the second follows live and read-only, and writes when the first is done', async ({
    panel,
    ollama,
    context,
    server,
    folder,
  }) => {
    const [more, end] = [new Gate(), new Gate()];
    ollama.script(say('Going '), holdUntil(more.opened), say('further '), holdUntil(end.opened), say('on.'));
    await panel.ask('Start');
    await answerShows(panel, 'Going');
    const second = await secondWindow(context, server, folder);
    await expect(await elsewhere(second)).toBeVisible();
    await answerShows(second, 'Going');
    expect(await (await second.frame()).getByRole('textbox', { name: 'Message', exact: true }).count()).toBe(0);
    expect(await names(panel)).toEqual(
      ['You', `${MODEL}, running`].map((name) => expect.stringMatching(name.replace('running', '(running|writing)'))),
    );
    more.open();
    // How soon is a matter of clocks: `twoWindows.test.ts` shows that one look is enough.
    await answerShows(second, 'Going further');
    end.open();
    expect((await panel.waitForAnswer()).text).toContain('Going further on.');
    await expect(await elsewhere(second)).toBeHidden();
    await answerShows(second, 'Going further on.');
    ollama.script(say('From the second window.'));
    await second.ask('Here now');
    expect((await second.waitForAnswer()).text).toContain('From the second window.');
    await answerShows(panel, 'From the second window.');
  });

  test('change places with “Continue here”: the answer ends as interrupted, and the first one follows', async ({
    panel,
    ollama,
    context,
    server,
    folder,
  }) => {
    const release = new Gate();
    ollama.script(say('Half of it'), holdUntil(new Gate().opened));
    ollama.script(say('Here '), holdUntil(release.opened), say('it goes on.'));
    await panel.ask('Start');
    await answerShows(panel, 'Half of it');
    const second = await secondWindow(context, server, folder);
    await (await second.button('Continue here')).click();
    await expect.poll(() => names(second)).toEqual(['You', `${MODEL}, interrupted`]);
    await answerShows(second, 'Half of it');
    await answerShows(second, 'Another window took this run over.');
    await second.ask('Go on here');
    await answerShows(second, 'Here');
    await expect(await elsewhere(panel)).toBeVisible();
    await answerShows(panel, 'Here');
    release.open();
    expect((await second.waitForAnswer()).text).toContain('Here it goes on.');
    await expect(await elsewhere(panel)).toBeHidden();
    await answerShows(panel, 'Here it goes on.');
  });

  test('part with “Fork”: the fork starts with what was there, and both go on', async ({
    panel,
    ollama,
    context,
    server,
    folder,
  }) => {
    const release = new Gate();
    ollama.script(say('Half '), holdUntil(release.opened), say('and whole.'));
    ollama.script(say('Another way.'));
    await panel.ask('Start');
    await answerShows(panel, 'Half');
    const second = await secondWindow(context, server, folder);
    await answerShows(second, 'Half');
    await (await second.button('Fork')).click();
    await expect(await elsewhere(second)).toBeHidden();
    await second.ask('Try something else');
    expect((await second.waitForAnswer()).text).toContain('Another way.');
    expect(await names(second)).toEqual(['You', `${MODEL}, interrupted`, 'You', `${MODEL}, done`]);
    release.open();
    expect((await panel.waitForAnswer()).text).toContain('Half and whole.');
    expect(await names(panel)).toEqual(['You', `${MODEL}, done`]);
  });
});
