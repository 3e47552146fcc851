import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { callTool, cutOff, failWith, holdUntil, say } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import { ApprovalCard } from '../support/workbench/approvalCard';
import { expect, MODEL, test } from '../support/workbench/fixtures';
import { openHistoryFile } from '../support/workbench/historyFile';
import { reloadWindow } from '../support/workbench/workbench';

test.describe('When something goes wrong', () => {
  test('a server that does not answer is named with a way on, and the chat works as soon as it answers', async ({
    panel,
    ollama,
  }) => {
    await ollama.stop();
    await panel.newConversation();
    const region = (await panel.frame()).getByRole('region', { name: 'Ollama does not answer' });
    await expect(region).toContainText(ollama.host);
    await (await panel.message()).fill('Written before it answers');
    await expect(await panel.button('Send message')).toBeDisabled();
    await ollama.startAgain();
    ollama.script(say('Here I am.'));
    await (await panel.button('Try again')).click();
    await expect(await panel.button('Send message')).toBeEnabled();
    await expect(await panel.message()).toHaveValue('Written before it answers');
    await (await panel.button('Send message')).click();
    expect((await panel.waitForAnswer()).text).toContain('Here I am.');
  });

  test('a server without models names some to pull', async ({ panel, ollama }) => {
    ollama.models.remove(MODEL);
    await panel.newConversation();
    const frame = await panel.frame();
    await expect(frame.getByText('Pull a model to begin')).toBeVisible();
    await expect(frame.getByRole('button', { name: /^Pull \S+:\S+$/ }).first()).toBeVisible();
  });

  test('a model that is gone is named, the question is kept, and another can be chosen', async ({ panel, ollama }) => {
    await expect(await panel.button(`Model: ${MODEL}`)).toBeVisible();
    ollama.models.remove(MODEL);
    ollama.models.add('other:2b');
    await panel.ask('Who are you?');
    const answer = await panel.waitForAnswer();
    expect(answer.name).toMatch(/failed$/);
    const notice = (await panel.frame()).getByRole('group', { name: 'Model not found' });
    await expect(notice).toContainText(`${MODEL} is not on this Ollama.`);
    ollama.script(say('I am the other.'));
    await notice.getByRole('button', { name: 'Choose another model' }).click();
    await (await panel.frame()).getByRole('option', { name: /other:2b/ }).click();
    await notice.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(async () => (await panel.transcript()).at(-1)?.text ?? '').toContain('I am the other.');
  });

  test('an error in mid-stream keeps the partial text, says what the server said, and can be retried', async ({
    panel,
    ollama,
  }) => {
    ollama.script(say('Partial '), failWith('an error was encountered while running the model: unexpected EOF'));
    ollama.script(say('Whole.'));
    await panel.ask('Go');
    const answer = await panel.waitForAnswer();
    expect(answer.name).toMatch(/failed$/);
    expect(answer.text).toContain('Partial');
    await (await panel.button('Details')).click();
    await expect((await panel.frame()).getByText('unexpected EOF')).toBeVisible();
    await (await panel.button('Retry')).last().click();
    await expect.poll(async () => (await panel.transcript()).at(-1)?.text ?? '').toContain('Whole.');
  });

  test('a stream that is cut off keeps the partial text and the conversation usable', async ({ panel, ollama }) => {
    ollama.script(say('Up to here'), cutOff());
    ollama.script(say('Next answer.'));
    await panel.ask('Go');
    const answer = await panel.waitForAnswer();
    expect(answer.name).toMatch(/cut off$/);
    expect(answer.text).toContain('Up to here');
    await expect((await panel.frame()).getByRole('group', { name: 'Answer cut off' })).toBeVisible();
    await panel.ask('Next');
    expect((await panel.waitForAnswer()).text).toContain('Next answer.');
  });

  test('Stop works before the first token and in mid-stream, and closes the connection', async ({ panel, ollama }) => {
    ollama.script(holdUntil(new Gate().opened));
    ollama.script(say('Some words'), holdUntil(new Gate().opened));
    ollama.script(say('Fine.'));
    await panel.ask('Silence');
    const silent = await ollama.nextChat();
    await (await panel.button(/^Stop$/)).click();
    await silent.closed;
    expect((await panel.waitForAnswer()).name).toMatch(/stopped$/);
    await panel.ask('Words');
    await expect.poll(async () => (await panel.transcript()).at(-1)?.text ?? '').toContain('Some words');
    await (await panel.message()).press('Escape');
    await (
      await ollama.nextChat()
    ).closed;
    const stopped = await panel.waitForAnswer();
    expect(stopped.name).toMatch(/stopped$/);
    expect(stopped.text).toContain('Some words');
    await panel.ask('Again');
    expect((await panel.waitForAnswer()).text).toContain('Fine.');
  });

  test('a history file that cannot be written costs a word, not the chat, and is written when that works again', async ({
    panel,
    ollama,
    page,
    server,
  }) => {
    const other = await openHistoryFile(server);
    await other.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
    ollama.script(say('It works all the same.'));
    await panel.ask('Does it work?');
    expect((await panel.waitForAnswer()).text).toContain('It works all the same.');
    const alert = (await panel.frame()).getByRole('alert', { name: 'Not saved' });
    await expect(alert).toContainText('You can go on');
    await alert.getByRole('button', { name: 'Show why' }).click();
    await expect(alert).toContainText('Another window is writing to the history file.');
    await other.exclusive((statements) => statements.run('ROLLBACK'));
    await other.close();
    await expect(alert).toBeHidden();
    const before = await panel.transcript();
    await reloadWindow(page);
    await expect.poll(() => panel.transcript()).toEqual(before);
  });

  test('a read outside the folder asks, whichever way it is spelt, and reads nothing without leave', async ({
    panel,
    ollama,
    folder,
  }) => {
    const outside = join(dirname(folder), 'outside');
    await mkdir(outside, { recursive: true });
    await writeFile(join(outside, 'canary.txt'), 'CANARY-7731');
    await symlink(join(outside, 'canary.txt'), join(folder, 'link.txt'));
    await symlink(outside, join(folder, 'linked-folder'));
    const paths = ['../outside/canary.txt', join(outside, 'canary.txt'), 'link.txt', 'linked-folder/canary.txt'];
    ollama.script(
      ...paths.map((path) => callTool('read_file', { path })),
      callTool('search_text', { query: 'CANARY' }),
    );
    ollama.script(say('I could not.'));
    await panel.ask('Read them');
    const card = new ApprovalCard(panel, 'read canary.txt, outside the workspace folder');
    for (let asked = 1; asked <= paths.length; asked += 1) {
      await card.press('Deny');
      const denied = await panel.button(/^Denied: /);
      await expect(denied).toHaveCount(asked);
    }
    await panel.waitForAnswer();
    const told = ollama.chats[1]?.chat.messages?.filter((message) => message.role === 'tool') ?? [];
    expect(told).toHaveLength(5);
    for (const message of told.slice(0, 4)) expect(message.content).toMatch(/denied/i);
    expect(told[4]?.content).toMatch(/^No matches/);
    expect(ollama.chats.map((chat) => chat.bodyText).join()).not.toContain('CANARY-7731');

    ollama.script(callTool('read_file', { path: '../outside/canary.txt' }));
    ollama.script(say('Now I have read it.'));
    await panel.ask('Read it with my leave');
    await expect((await card.group()).getByRole('button', { name: /workspace$/ })).toHaveCount(0);
    await card.press('Allow once');
    expect((await panel.waitForAnswer()).text).toContain('Now I have read it.');
    expect(ollama.chats[3]?.bodyText).toContain('CANARY-7731');
  });
});
