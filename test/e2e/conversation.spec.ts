import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callTool, holdUntil, say, think } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import { openChat, type ChatPanel } from '../support/workbench/chatPanel';
import { expect, MODEL, test } from '../support/workbench/fixtures';
import { storedChunks } from '../support/workbench/historyFile';
import { killExtensionHosts, openWorkbench, ready, reloadWindow, run } from '../support/workbench/workbench';

/** Names without the time, which is the machine's. */
async function names(panel: ChatPanel): Promise<readonly string[]> {
  return (await panel.transcript()).map(({ name }) => name.replace(/, [^,]*\d[^,]*?(?=,|$)/, ''));
}

async function answerShows(panel: ChatPanel, text: string): Promise<void> {
  await expect.poll(async () => (await panel.transcript()).at(-1)?.text ?? '').toContain(text);
}

test.describe('A conversation in the workbench', () => {
  test('reads a real file with a tool, streams the answer, and is the same after a reload', async ({
    panel,
    ollama,
    page,
    folder,
    workbench,
  }) => {
    await writeFile(join(folder, 'secret-of-the-day.txt'), 'the heron is grey');
    ollama.script(think('I should read it.'), callTool('read_file', { path: 'secret-of-the-day.txt' }));
    ollama.script(function* (request) {
      const result = request.messages?.at(-1)?.content;
      yield* say('It says: ', '**', String(result), '**');
    });
    await panel.ask('What is the secret?');
    const answer = await panel.waitForAnswer();
    expect(answer.text).toContain('the heron is grey');
    await expect(await panel.button(/^Read secret-of-the-day\.txt.*, done$/)).toBeVisible();
    await expect(await panel.button(/^Thought for /)).toBeVisible();
    expect(await (await panel.frame()).locator('strong', { hasText: 'the heron is grey' }).count()).toBe(1);
    const before = await panel.transcript();
    await reloadWindow(page);
    await expect.poll(() => panel.transcript()).toEqual(before);
    expect(workbench.blocked).toEqual([]);
  });

  test('keeps what arrived when the window is reloaded in mid-stream, marked interrupted, and goes on', async ({
    panel,
    ollama,
    page,
  }) => {
    ollama.script(say('The first ', 'half'), holdUntil(new Gate().opened));
    ollama.script(say('All of it.'));
    await panel.ask('Tell me');
    await answerShows(panel, 'The first half');
    await reloadWindow(page);
    await expect.poll(() => names(panel)).toEqual(['You', `${MODEL}, interrupted`]);
    await answerShows(panel, 'The first half');
    await panel.ask('Go on');
    expect((await panel.waitForAnswer()).text).toContain('All of it.');
    expect(await names(panel)).toEqual(['You', `${MODEL}, interrupted`, 'You', `${MODEL}, done`]);
  });

  test('goes on while its view is hidden, and shows nothing twice and nothing less afterwards', async ({
    panel,
    ollama,
    page,
  }) => {
    const [hidden, shown] = [new Gate(), new Gate()];
    ollama.script(
      say('one ', 'two '),
      holdUntil(hidden.opened),
      say('three ', 'four '),
      holdUntil(shown.opened),
      say('five'),
    );
    await panel.ask('Count');
    await answerShows(panel, 'one two');
    await run(page, 'View: Toggle Secondary Side Bar Visibility');
    await expect(page.locator('.part.auxiliarybar')).toBeHidden();
    hidden.open();
    await openChat(page);
    await answerShows(panel, 'one two three four');
    shown.open();
    const answer = await panel.waitForAnswer();
    expect(answer.text).toContain('one two three four five');
    expect(await names(panel)).toEqual(['You', `${MODEL}, done`]);
  });

  test('survives the death of the extension host in mid-stream: question and partial answer stay, the next works', async ({
    panel,
    ollama,
    server,
  }) => {
    ollama.script(say('Half of ', 'an answer'), holdUntil(new Gate().opened));
    ollama.script(say('Alive.'));
    await panel.ask('Are you there?');
    await answerShows(panel, 'Half of an answer');
    // Text is handed to the writer within 50 ms; the kill must not come before that.
    await expect.poll(() => storedChunks(server)).toContain('Half of an answer');
    expect(killExtensionHosts(server)).toBeGreaterThan(0);
    await expect.poll(() => names(panel).catch(() => [])).toEqual(['You', `${MODEL}, interrupted`]);
    await answerShows(panel, 'Half of an answer');
    await expect((await panel.frame()).getByRole('group', { name: 'Interrupted' })).toBeVisible();
    await panel.ask('And now?');
    expect((await panel.waitForAnswer()).text).toContain('Alive.');
  });

  test('is not disturbed by a second window on the same history, which follows it read-only', async ({
    panel,
    ollama,
    context,
    server,
    folder,
  }) => {
    const release = new Gate();
    ollama.script(say('Going '), holdUntil(release.opened), say('on.'));
    await panel.ask('Start');
    await answerShows(panel, 'Going');
    const secondPage = await context.newPage();
    await secondPage.bringToFront();
    await openWorkbench(secondPage, server, folder);
    const second = await openChat(secondPage);
    const banner = (await second.frame()).getByRole('status', { name: 'Running in another window' });
    await expect(banner).toBeVisible();
    await answerShows(second, 'Going');
    expect(await (await second.frame()).getByRole('textbox', { name: 'Message', exact: true }).count()).toBe(0);
    expect(await names(panel)).toEqual(
      ['You', `${MODEL}, running`].map((name) => expect.stringMatching(name.replace('running', '(running|writing)'))),
    );
    release.open();
    expect((await panel.waitForAnswer()).text).toContain('Going on.');
    await expect(banner).toBeHidden();
    await answerShows(second, 'Going on.');
    ollama.script(say('From the second window.'));
    await second.ask('Here now');
    expect((await second.waitForAnswer()).text).toContain('From the second window.');
  });

  test('starts anew on New Conversation, and the old one comes back by Resume Conversation', async ({
    panel,
    ollama,
    page,
  }) => {
    ollama.script(say('First answer.'));
    ollama.script(say('Second answer.'));
    await panel.ask('A question about apples');
    await panel.waitForAnswer();
    await run(page, 'Holdfast: New Conversation');
    await expect.poll(() => names(panel)).toEqual([]);
    await panel.ask('A question about pears');
    await panel.waitForAnswer();
    await run(page, 'Holdfast: Resume Conversation…');
    const rows = page.locator('.quick-input-widget .monaco-list-row');
    await expect(rows.nth(0)).toContainText('A question about pears');
    await expect(rows.nth(0)).toContainText('2 messages');
    await expect(rows.nth(1)).toContainText('A question about apples');
    await rows.nth(1).click();
    await answerShows(panel, 'First answer.');
    await reloadWindow(page);
    await ready(page);
    await answerShows(panel, 'First answer.');
  });
});
