import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callTool, holdUntil, say, think } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import { openChat } from '../support/workbench/chatPanel';
import { updateExtension } from '../support/workbench/extensionUpdate';
import { answerShows, names } from '../support/workbench/shown';
import { expect, MODEL, test } from '../support/workbench/fixtures';
import { storedChunks } from '../support/workbench/historyFile';
import { killExtensionHosts, ready, reloadWindow, run } from '../support/workbench/workbench';

/** What the model's server says after the last word may come after the reload. */
const ended = expect.stringMatching(/, (done|interrupted)$/);

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

  test('keeps the last words of an answer when the window is reloaded right after them', async ({
    panel,
    ollama,
    page,
  }) => {
    ollama.script(say('The last words ', 'are ', 'these.'));
    await panel.ask('Say it');
    await (await panel.frame()).getByText('The last words are these.').waitFor();
    // As the browser does it: the command's way through the palette would take longer than the file needs.
    await page.reload();
    await ready(page);
    await answerShows(panel, 'The last words are these.');
    await expect.poll(() => names(panel)).toEqual(['You', ended]);
  });

  test('keeps the last words of an answer when the window is reloaded right after them, to another version', async ({
    panel,
    ollama,
    page,
    server,
  }) => {
    const end = new Gate();
    ollama.script(say('The last words '), holdUntil(end.opened), say('of the old one.'));
    await panel.ask('Say it');
    await answerShows(panel, 'The last words');
    const folder = await updateExtension(server);
    end.open();
    await (await panel.frame()).getByText('The last words of the old one.').waitFor();
    await page.reload();
    await ready(page);
    await answerShows(panel, 'The last words of the old one.');
    await expect.poll(() => names(panel)).toEqual(['You', ended]);
    const script = await (await panel.frame()).locator('script[src]').first().getAttribute('src');
    expect(script).toContain(`/${folder}/`);
  });

  test('keeps what is written while an answer goes on in a queue, over a reload, and sends it when told to', async ({
    panel,
    ollama,
    page,
  }) => {
    ollama.script(say('A long '), holdUntil(new Gate().opened));
    ollama.script(say('Second answer.'));
    await panel.ask('First question');
    await answerShows(panel, 'A long');
    await (await panel.message()).fill('Second question');
    await (await panel.message()).press('Enter');
    const queue = async () => (await panel.frame()).getByRole('group', { name: 'Queued messages, 1' });
    await expect(await queue()).toContainText('Second question');
    await reloadWindow(page);
    await expect.poll(() => names(panel)).toEqual(['You', `${MODEL}, interrupted`]);
    await expect(await queue()).toContainText('Second question');
    await (await panel.button('Send now')).click();
    expect((await panel.waitForAnswer()).text).toContain('Second answer.');
    expect(await names(panel)).toEqual(['You', `${MODEL}, interrupted`, 'You', `${MODEL}, done`]);
    await expect(await queue()).toBeHidden();
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
