import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bodyFaults } from '../support/ollama/bodyChecks';
import { callTool, holdUntil, say } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import type { ChatPanel } from '../support/workbench/chatPanel';
import { expect, MODEL, test } from '../support/workbench/fixtures';
import { newestUsage } from '../support/workbench/historyFile';
import type { VsCodeServer } from '../support/workbench/server';
import { answerShows, names } from '../support/workbench/shown';
import { killExtensionHosts, reloadWindow } from '../support/workbench/workbench';

/** Presses the button that does it, behind the meter. */
async function compactNow(panel: ChatPanel): Promise<void> {
  await (await panel.button(/^Context: /)).click();
  await (await panel.button('Compact now')).click();
}

/** Says so in the composer. */
async function compactByCommand(panel: ChatPanel): Promise<void> {
  await (await panel.message()).fill('/compact');
  await (await panel.message()).press('Enter');
}

/** Kills the extension host; resolves when the page that belonged to it is gone, which shows for a while what was. */
async function dieAndComeBack(panel: ChatPanel, server: VsCodeServer): Promise<void> {
  const page = await panel.frame();
  expect(killExtensionHosts(server)).toBeGreaterThan(0);
  await expect.poll(() => page.isDetached(), { timeout: 30_000 }).toBe(true);
}

/** How often the transcript says that older messages are summarised. */
async function compactions(panel: ChatPanel): Promise<number> {
  return (await panel.frame()).getByRole('note', { name: 'Compacted' }).count();
}

test.describe('A long conversation', () => {
  test('is summarised by a button and by a command: the model has the summary, the person every word', async ({
    panel,
    ollama,
    page,
  }) => {
    ollama.script(say('Apples are red.'));
    ollama.script(say('Pears are green.'));
    await panel.ask('What of apples?');
    await panel.waitForAnswer();
    await panel.ask('What of pears?');
    await panel.waitForAnswer();
    ollama.script(say('Summary one: apples.'));
    await compactNow(panel);
    await expect.poll(() => compactions(panel)).toBe(1);
    ollama.script(say('Plums are blue.'));
    await panel.ask('What of plums?');
    await panel.waitForAnswer();
    const body = ollama.chats[3]?.bodyText ?? '';
    expect(body).toContain('Summary one: apples.');
    expect(body).toContain('What of plums?');
    expect(body).not.toContain('Apples are red.');
    ollama.script(say('Summary two: apples and pears.'));
    await compactByCommand(panel);
    await expect.poll(() => compactions(panel)).toBe(2);
    const you = ['You', `${MODEL}, done`];
    expect(await names(panel)).toEqual([...you, ...you, ...you]);
    const before = await panel.transcript();
    expect(before.map(({ text }) => text).join()).toContain('Apples are red.');
    await reloadWindow(page);
    await expect.poll(() => panel.transcript()).toEqual(before);
    expect(await compactions(panel)).toBe(2);
    expect(bodyFaults(ollama.chats)).toEqual([]);
  });

  test('outlives two deaths of the extension host, in a summary and between two steps, and asks validly after them', async ({
    panel,
    ollama,
    page,
    server,
  }) => {
    // The editor starts a host again twice; what happened before is forgotten with its page.
    await reloadWindow(page);
    ollama.script(say('First answer.'));
    ollama.script(say('Second answer.'));
    await panel.ask('First question');
    await panel.waitForAnswer();
    await panel.ask('Second question');
    await panel.waitForAnswer();
    ollama.script(say('The person '), holdUntil(new Gate().opened));
    await compactByCommand(panel);
    await expect.poll(() => ollama.chats.length).toBe(3);
    await dieAndComeBack(panel, server);
    await expect.poll(() => names(panel).catch(() => [])).toEqual(['You', `${MODEL}, done`, 'You', `${MODEL}, done`]);
    expect(await compactions(panel)).toBe(0);

    ollama.script(say('The summary that came.'));
    await compactByCommand(panel);
    await expect.poll(() => compactions(panel)).toBe(1);
    ollama.script(callTool('list_files', { path: '.' }), callTool('read_file', { path: 'README.md' }));
    ollama.script(holdUntil(new Gate().opened));
    await panel.ask('Third question');
    await expect.poll(() => ollama.chats.length).toBe(6);
    await dieAndComeBack(panel, server);
    await expect
      .poll(async () => (await names(panel).catch(() => [])).at(-1), { timeout: 30_000 })
      .toBe(`${MODEL}, interrupted`);
    ollama.script(say('I went on.'));
    await panel.ask('go on');
    expect((await panel.waitForAnswer()).text).toContain('I went on.');
    expect(ollama.chats).toHaveLength(7);
    const body = ollama.chats[6]?.bodyText ?? '';
    expect(body).toContain('The summary that came.');
    expect(body).toContain('go on');
    expect(bodyFaults(ollama.chats)).toEqual([]);
    await reloadWindow(page);
    await answerShows(panel, 'I went on.');
  });

  test('is measured by a meter that says what the server then reports', async ({ panel, ollama, folder, server }) => {
    const lines = Array.from({ length: 700 }, (_, n) => `Line ${n} of the logbook: the wind has turned to the north.`);
    await writeFile(join(folder, 'logbook.txt'), lines.join('\n'));
    ollama.script(callTool('read_file', { path: 'logbook.txt' }));
    ollama.script(say('The wind is in the north.'));
    ollama.script(say('It turned.'));
    ollama.script(say('Yes.'));
    await panel.ask('Where is the wind?');
    await panel.waitForAnswer();
    await panel.ask('And before?');
    await panel.waitForAnswer();
    const meter = await panel.button(/^Context: [\d.]+k of 32\.8k tokens/);
    const [, shown] = /^Context: ([\d.]+)k/.exec((await meter.getAttribute('aria-label')) ?? '') ?? [];
    await panel.ask('Sure?');
    await panel.waitForAnswer();
    const { promptTokens = 0 } = await newestUsage(server);
    expect(promptTokens).toBeGreaterThan(4_000);
    // The meter rounds to tenths of a thousand.
    expect(Math.abs(Number(shown) * 1_000 - promptTokens)).toBeLessThan(promptTokens * 0.03 + 50);
    await (await panel.button(/^Context: /)).click();
    const dialog = (await panel.frame()).getByRole('dialog', { name: 'Context' });
    await expect(dialog).toContainText('Files and tool results');
    await expect(dialog).toContainText('32,768 tokens');
    await (await panel.message()).press('Escape');
  });
});
