import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { callTool, say } from '../support/ollama/chatStep';
import { ApprovalCard, chooseMode } from '../support/workbench/approvalCard';
import { expect, MODEL, test } from '../support/workbench/fixtures';
import { isRunning } from '../support/workbench/processTree';
import { answerShows, names } from '../support/workbench/shown';
import { killExtensionHosts, reloadWindow, run } from '../support/workbench/workbench';

/** With line ends of two kinds and no last one, behind a byte order mark: nothing of it may be lost. */
const LEASE = '\ufeffexport const lease = 1;\r\nexport const until = 2;\nexport const holder = 3;';

function edit(path: string, oldText: string, newText: string): ReturnType<typeof callTool> {
  return callTool('edit_file', { path, old_text: oldText, new_text: newText });
}

function text(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '(there is no such file)');
}

/** Opens a file of the folder in an editor, as a person would. */
async function openInEditor(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+P');
  const palette = page.locator('.quick-input-widget');
  await palette.locator('input.input').fill(name);
  await palette.locator('.monaco-list-row', { hasText: name }).first().click();
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).waitFor();
}

test.describe('A call that would change something', () => {
  test.afterEach(async ({ page }) => {
    await run(page, 'View: Close All Editors');
  });

  test('edits a file once its diff was looked at and it was allowed; undo brings every byte back', async ({
    panel,
    ollama,
    page,
    folder,
  }) => {
    const file = join(folder, 'lease.txt');
    await writeFile(file, LEASE);
    const others = [join(folder, 'README.md'), join(folder, 'src', 'queue.js')];
    const times = await Promise.all(others.map(async (one) => (await stat(one)).mtimeMs));
    ollama.script(callTool('read_file', { path: 'lease.txt' }));
    ollama.script(edit('lease.txt', 'export const until = 2;', 'export const until = 20;'));
    ollama.script(say('It lasts longer now.'));
    await panel.ask('Make the lease last longer');
    const card = new ApprovalCard(panel, 'edit lease.txt');
    await expect(await card.group()).toContainText('export const until = 20;');
    await card.press('Open full diff');
    await expect(page.getByRole('tab', { name: /lease\.txt \(proposed\)/ })).toBeVisible();
    await expect(page.locator('.monaco-diff-editor')).toBeVisible();
    await expect(page.locator('.monaco-diff-editor .modified .view-lines:not(.line-delete)')).toContainText(
      'until = 20;',
    );
    expect(await text(file)).toBe(LEASE);
    await page.locator('.monaco-diff-editor .modified .view-lines').first().click();
    await run(page, 'View: Close All Editors');
    const frame = await panel.frame();
    await expect.poll(() => frame.evaluate<boolean>('document.hasFocus()')).toBe(true);
    await card.press('Allow once');
    expect((await panel.waitForAnswer()).text).toContain('It lasts longer now.');
    expect(await text(file)).toBe(LEASE.replace('until = 2;', 'until = 20;'));
    await (await panel.button('Undo this turn’s file changes')).last().click();
    await expect.poll(() => text(file)).toBe(LEASE);
    expect(await Promise.all(others.map(async (one) => (await stat(one)).mtimeMs))).toEqual(times);
    await reloadWindow(page);
    await answerShows(panel, 'It lasts longer now.');
    expect(await text(file)).toBe(LEASE);
  });

  test('is undone only with the person’s word where they wrote after the agent', async ({
    panel,
    ollama,
    page,
    folder,
  }) => {
    const file = join(folder, 'mine.txt');
    await writeFile(file, 'one');
    ollama.script(callTool('read_file', { path: 'mine.txt' }));
    ollama.script(edit('mine.txt', 'one', 'two'));
    ollama.script(say('Edited.'));
    await panel.ask('Edit it');
    await new ApprovalCard(panel, 'edit mine.txt').press('Allow once');
    await panel.waitForAnswer();
    await writeFile(file, 'written by a person');
    const undo = await panel.button('Undo this turn’s file changes');
    await undo.last().click();
    const question = page.getByRole('dialog', { name: /mine\.txt was changed after the agent's change/ });
    await question.getByRole('button', { name: 'Skip' }).click();
    await expect(question).toBeHidden();
    await expect((await panel.frame()).getByText(/mine\.txt was changed since: it was left as it is/)).toBeVisible();
    expect(await text(file)).toBe('written by a person');
    await undo.last().click();
    await question.getByRole('button', { name: 'Overwrite' }).click();
    await expect.poll(() => text(file)).toBe('one');
  });

  test('runs no command that was denied, and the model answers to the words it was denied with', async ({
    panel,
    ollama,
    folder,
  }) => {
    ollama.script(callTool('run_command', { command: 'touch denied.txt' }));
    ollama.script(say('Then I will make another one.'));
    await panel.ask('Make a file');
    await new ApprovalCard(panel, 'run touch denied.txt').denyWith('Not that name: call it allowed.txt');
    expect((await panel.waitForAnswer()).text).toContain('Then I will make another one.');
    expect(ollama.chats[1]?.bodyText).toContain('Not that name: call it allowed.txt');
    await expect(await panel.button('Denied: run touch denied.txt')).toBeVisible();
    expect(await text(join(folder, 'denied.txt'))).toBe('(there is no such file)');
  });

  test('waits over a reload and the death of the extension host, and runs once when it is allowed then', async ({
    panel,
    ollama,
    page,
    server,
    folder,
  }) => {
    ollama.script(callTool('run_command', { command: 'echo ran >> ran.txt' }));
    ollama.script(say('It ran.'));
    await panel.ask('Run it');
    const card = new ApprovalCard(panel, 'run echo ran >> ran.txt');
    await expect(await card.group()).toBeVisible();
    await reloadWindow(page);
    await expect(await card.group()).toBeVisible();
    await expect(page.getByRole('tab', { name: /1 approval waits/ })).toBeVisible();
    const frame = await panel.frame();
    expect(killExtensionHosts(server)).toBeGreaterThan(0);
    await expect.poll(() => frame.isDetached(), { timeout: 30_000 }).toBe(true);
    await expect(await card.group()).toBeVisible();
    expect(await text(join(folder, 'ran.txt'))).toBe('(there is no such file)');
    await card.press('Allow once');
    expect((await panel.waitForAnswer()).text).toContain('It ran.');
    expect(await text(join(folder, 'ran.txt'))).toBe('ran\n');
    expect(await names(panel)).toEqual(['You', `${MODEL}, done`]);
    expect(ollama.chats).toHaveLength(2);
  });

  test('is not asked about for an edit in Auto-edit, but still for settings of the editor', async ({
    panel,
    ollama,
    folder,
  }) => {
    await mkdir(join(folder, '.vscode'), { recursive: true });
    ollama.script(callTool('write_file', { path: 'notes.txt', content: 'Written unasked.\n' }));
    ollama.script(callTool('write_file', { path: '.vscode/settings.json', content: '{ "git.path": "evil" }\n' }));
    ollama.script(say('One of two.'));
    await chooseMode(panel, 'Auto-edit');
    await panel.ask('Write both');
    await new ApprovalCard(panel, 'write settings.json').press('Deny');
    expect((await panel.waitForAnswer()).text).toContain('One of two.');
    expect(await text(join(folder, 'notes.txt'))).toBe('Written unasked.\n');
    expect(await text(join(folder, '.vscode', 'settings.json'))).toBe('(there is no such file)');
  });

  test('goes into the editor where that holds what is not saved, and leaves the file on the disk alone', async ({
    panel,
    ollama,
    page,
    folder,
  }) => {
    const file = join(folder, 'draft.txt');
    await writeFile(file, 'one\ntwo\n');
    await openInEditor(page, 'draft.txt');
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('zero ');
    ollama.script(callTool('read_file', { path: 'draft.txt' }));
    ollama.script(edit('draft.txt', 'two', 'two and a half'));
    ollama.script(say('Done in the editor.'));
    await panel.ask('Edit the draft');
    await new ApprovalCard(panel, 'edit draft.txt').press('Allow once');
    expect((await panel.waitForAnswer()).text).toContain('Done in the editor.');
    const lines = page.locator('.monaco-editor .view-lines').first();
    await expect(lines).toContainText('zero one');
    await expect(lines).toContainText('two and a half');
    expect(ollama.chats[1]?.bodyText).toContain('zero one');
    expect(await text(file)).toBe('one\ntwo\n');
    await page.locator('.monaco-editor .view-lines').first().click();
    await run(page, 'View: Revert and Close Editor');
  });

  test('ends with Stop, however long a command would run, and nothing of it is left', async ({
    panel,
    ollama,
    folder,
  }) => {
    const file = join(folder, 'pids.txt');
    ollama.script(callTool('run_command', { command: 'sleep 1000 & echo $! > pids.txt; echo $$ >> pids.txt; wait' }));
    await panel.ask('Wait for ever');
    await new ApprovalCard(panel, 'run sleep 1000 & echo $! > pids.txt; echo $$ >> pids.txt; wait').press('Allow once');
    await expect.poll(async () => (await text(file)).trim().split('\n').filter(Number).length).toBe(2);
    const pids = (await text(file)).trim().split('\n').map(Number);
    expect(pids.filter(isRunning)).toEqual(pids);
    await (await panel.button(/^Stop$/)).click();
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    expect((await panel.waitForAnswer()).name).toMatch(/stopped$/);
  });
});
