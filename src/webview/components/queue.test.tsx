// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../protocol/ids';
import type { ConversationStatus, QueuedMessage } from '../../protocol/status';
import type { Reply } from '../../protocol/wire';
import { answer, AT_14_02, CONVERSATION, status, STREAM, text, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const FIRST = { clientId: 'c1' as ClientId, text: 'Then add a test', createdAt: AT_14_02 };
const SECOND = { clientId: 'c2' as ClientId, text: 'And update\nCHANGELOG.md', createdAt: AT_14_02 };
const writing = { kind: 'writing', startedAt: 1 } as const;

const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' });
const button = (name: string): HTMLButtonElement => screen.getByRole('button', { name });
const group = (count: number): HTMLElement => screen.getByRole('group', { name: `Queued messages, ${count}` });
const noGroup = (): boolean => screen.queryByRole('group', { name: /^Queued messages/ }) === null;
const rows = (count: number): (string | null)[] =>
  within(group(count))
    .getAllByRole('listitem')
    .map((row) => row.textContent);
const ownMessages = (): number => screen.getAllByRole('article', { name: /^You/ }).length;
const type = async (words: string): Promise<void> => {
  fireEvent.input(box(), { target: { value: words } });
  await painted();
};
const enter = async (): Promise<void> => {
  fireEvent.keyDown(box(), { key: 'Enter' });
  await painted();
};
const press = async (target: HTMLElement): Promise<void> => {
  target.focus();
  fireEvent.click(target);
  await painted();
};

describe('The queue', () => {
  let test: TestPage;
  let version = 1;
  const stand = (queue: readonly QueuedMessage[], more: Partial<ConversationStatus> = {}): Promise<void> => {
    version += 1;
    return test.emit({ kind: 'status', stream: STREAM, status: status({ version, run: writing, queue, ...more }) });
  };
  beforeEach(async () => {
    version = 1;
    test = openPage();
    await test.show([userMessage(1, 'the first'), answer(2, [text('ok')])], { status: status({ run: writing }) });
    box().focus();
  });

  it('is offered while an answer is written: by placeholder, Enter and a button that is there with the text', async () => {
    expect(box().placeholder).toBe('Add to the queue');
    expect(screen.queryByRole('button', { name: /^(Queue|Send) message$/ })).toBeNull();
    await type('one');
    expect(button('Queue message').disabled).toBe(false);
    expect(button('Stop')).toBeTruthy();
    await enter();
    await type('two');
    fireEvent.click(button('Queue message'));
    await painted();
    expect(test.host.askedFor('send')).toMatchObject([{ text: 'one' }, { text: 'two' }]);
    expect(box().value).toBe('');
  });

  it('shows what is sent where it is going to stand, and only once when the host has it', async () => {
    await type('one');
    await enter();
    expect(rows(1)).toEqual(['1one']);
    expect(ownMessages()).toBe(1);
    const { clientId } = test.host.askedFor('send')[0] as { readonly clientId: ClientId };
    await stand([FIRST, { ...FIRST, clientId, text: 'one' }]);
    expect(rows(2)).toEqual(['1Then add a test', '2one']);
  });

  it('says of a message that the host does not confirm that it is not saved yet', async () => {
    test.host.reply = () => new Promise(() => undefined);
    await type('one');
    await enter();
    expect(within(group(1)).queryByText('Not saved yet')).toBeNull();
    expect(await within(group(1)).findByText('Not saved yet', {}, { timeout: 3_000 })).toBeTruthy();
  });

  it('takes what follows the first message for the queue before the host says that it runs', async () => {
    await stand([], { run: { kind: 'idle' } });
    await type('one');
    await enter();
    await type('two');
    await enter();
    expect(ownMessages()).toBe(2);
    expect(rows(1)).toEqual(['1two']);
  });

  it('shows a message once when it leaves the queue, whichever frame comes first', async () => {
    await stand([FIRST, SECOND]);
    const message = userMessage(3, FIRST.text, { clientId: FIRST.clientId });
    await test.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'message_added', message }] });
    expect(rows(1)).toHaveLength(1);
    expect(ownMessages()).toBe(2);
    await stand([SECOND]);
    expect(rows(1)).toHaveLength(1);
  });

  it('says whether it goes on by itself, and what sending now does', async () => {
    await stand([FIRST]);
    expect(within(group(1)).getByText('Queued, sent when this answer is done')).toBeTruthy();
    await press(button('Send now, stopping the answer'));
    await stand([FIRST], { run: { kind: 'idle' } });
    expect(within(group(1)).getByText('Queued, not sent')).toBeTruthy();
    await press(button('Send now'));
    const asked = { conversationId: CONVERSATION, clientId: 'c1' };
    expect(test.host.askedFor('sendQueued')).toEqual([asked, asked]);
  });

  it('gives a message back for editing, before what is typed, with the focus in the composer', async () => {
    await stand([FIRST, SECOND]);
    await type('typed');
    await press(button('Edit queued message 2'));
    expect(test.host.askedFor('unqueue')).toEqual([{ conversationId: CONVERSATION, clientId: 'c2' }]);
    expect(box().value).toBe('And update\nCHANGELOG.md\n\ntyped');
    expect(document.activeElement).toBe(box());
  });

  it('leaves a message alone that cannot be taken out, and says why', async () => {
    test.host.reply = () => ({ ok: false, message: 'It is being sent.' });
    await stand([FIRST]);
    await press(button('Edit queued message 1'));
    expect(box().value).toBe('');
    expect(screen.getByRole('alert', { name: 'Error' }).textContent).toContain('It is being sent.');
    expect(rows(1)).toHaveLength(1);
  });

  it('takes a message out once, however often it is pressed', async () => {
    let reply: (reply: Reply) => void = () => undefined;
    test.host.reply = () => new Promise((resolve) => (reply = resolve));
    await stand([FIRST]);
    await press(button('Remove queued message 1'));
    await press(button('Remove queued message 1'));
    expect(test.host.askedFor('unqueue')).toHaveLength(1);
    await stand([]);
    reply({ ok: true });
    await painted();
    expect(noGroup()).toBe(true);
    expect(screen.queryByRole('alert', { name: 'Error' })).toBeNull();
  });

  it('takes out what the host has not shown yet', async () => {
    await type('one');
    await enter();
    await press(button('Remove queued message 1'));
    expect(noGroup()).toBe(true);
  });

  it('keeps the focus near a row that goes: in the queue, and after the last in the composer', async () => {
    await stand([FIRST, SECOND]);
    await press(button('Remove queued message 1'));
    await stand([SECOND]);
    expect(document.activeElement).toBe(group(1));
    await press(button('Remove queued message 1'));
    await stand([]);
    expect(document.activeElement).toBe(box());
  });

  it('does not take the focus from elsewhere when a row goes', async () => {
    await stand([FIRST, SECOND]);
    const log = screen.getByRole('log');
    log.focus();
    await stand([SECOND]);
    await stand([]);
    expect(document.activeElement).toBe(log);
  });

  it('gives a refused message back to the composer', async () => {
    test.host.reply = () => ({ ok: false, message: 'The queue is full.' });
    await type('one');
    await enter();
    expect(noGroup()).toBe(true);
    expect(box().value).toBe('one');
    expect(screen.getByRole('alert', { name: 'Error' }).textContent).toContain('The queue is full.');
  });

  it('speaks of a message that was queued', async () => {
    await stand([FIRST]);
    await stand([FIRST, SECOND]);
    expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('Queued messages, 2');
  });

  it('can only be read while another window sends from it', async () => {
    await stand([FIRST], { owner: 'elsewhere' });
    expect(rows(1)).toEqual(['1Then add a test']);
    expect(within(group(1)).queryAllByRole('button')).toEqual([]);
  });
});
