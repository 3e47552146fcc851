// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../protocol/ids';
import type { QueuedMessage } from '../../protocol/status';
import type { Reply } from '../../protocol/wire';
import { answer, AT_14_02, CONVERSATION, status, STREAM, text, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const queued = (name: string): QueuedMessage => ({ clientId: name as ClientId, text: name, createdAt: AT_14_02 });
const [A, B, C] = [queued('a'), queued('b'), queued('c')] as const;
const run = { kind: 'writing', startedAt: 1 } as const;

const items = (): HTMLElement[] => within(screen.getByRole('group', { name: /^Queued/ })).getAllByRole('listitem');
const order = (): (string | null)[] => items().map((item) => item.textContent);
const item = (place: number): HTMLElement => items()[place - 1] ?? document.body;
const move = async (target: HTMLElement, key: 'ArrowUp' | 'ArrowDown', more: KeyboardEventInit = {}): Promise<void> => {
  target.focus();
  fireEvent.keyDown(target, { key, altKey: true, ...more });
  await painted();
};

describe('The order of the queue', () => {
  let test: TestPage;
  let version = 1;
  const stand = (...queue: readonly QueuedMessage[]): Promise<void> => {
    version += 1;
    return test.emit({ kind: 'status', stream: STREAM, status: status({ version, run, queue }) });
  };
  beforeEach(async () => {
    version = 1;
    test = openPage();
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')])]);
    await stand(A, B, C);
  });

  it('is changed by Alt+Up and Alt+Down, shown at once, spoken of, and keeps the focus', async () => {
    test.host.reply = () => new Promise(() => undefined);
    await move(item(3), 'ArrowUp');
    expect(order()).toEqual(['1a', '2c', '3b']);
    expect(document.activeElement).toBe(item(2));
    expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('Moved to place 2 of 3');
    await move(item(2), 'ArrowUp');
    expect(order()).toEqual(['1c', '2a', '3b']);
    await move(item(1), 'ArrowDown');
    expect(order()).toEqual(['1a', '2c', '3b']);
    expect(test.host.askedFor('moveQueued')).toEqual([
      { conversationId: CONVERSATION, clientId: 'c', before: 'b' },
      { conversationId: CONVERSATION, clientId: 'c', before: 'a' },
      { conversationId: CONVERSATION, clientId: 'c', before: 'b' },
    ]);
  });

  it('moves a row also from a button in it, and the last place has nothing after it', async () => {
    const remove = screen.getByRole('button', { name: 'Remove queued message 2' });
    await move(remove, 'ArrowDown');
    expect(test.host.askedFor('moveQueued')).toEqual([{ conversationId: CONVERSATION, clientId: 'b' }]);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove queued message 3' }));
  });

  it('ends at its ends, and leaves other keys alone', async () => {
    await move(item(1), 'ArrowUp');
    await move(item(3), 'ArrowDown');
    await move(item(2), 'ArrowDown', { ctrlKey: true });
    await move(item(2), 'ArrowDown', { altKey: false });
    expect(test.host.askedFor('moveQueued')).toEqual([]);
  });

  it('is that of the host as soon as it says so', async () => {
    await move(item(1), 'ArrowDown');
    await stand(B, A, C);
    expect(order()).toEqual(['1b', '2a', '3c']);
    await stand(C, B, A);
    expect(order()).toEqual(['1c', '2b', '3a']);
  });

  it('is that of the last move when no frame ever shows the one before it', async () => {
    await move(item(1), 'ArrowDown');
    await move(item(2), 'ArrowUp');
    expect(order()).toEqual(['1a', '2b', '3c']);
    await stand(A, B, C);
    expect(order()).toEqual(['1a', '2b', '3c']);
  });

  it('is as it was when the host refuses, with the reason', async () => {
    let reply: (reply: Reply) => void = () => undefined;
    test.host.reply = () => new Promise((resolve) => (reply = resolve));
    await move(item(1), 'ArrowDown');
    expect(order()).toEqual(['1b', '2a', '3c']);
    reply({ ok: false, message: 'It is being sent.' });
    await painted();
    expect(order()).toEqual(['1a', '2b', '3c']);
    expect(screen.getByRole('alert', { name: 'Error' }).textContent).toContain('It is being sent.');
  });

  it('survives that the message it was moved before is sent', async () => {
    test.host.reply = () => new Promise(() => undefined);
    await move(item(3), 'ArrowUp');
    await stand(A, C);
    expect(order()).toEqual(['1a', '2c']);
  });

  it('cannot be changed while another window sends from it', async () => {
    version += 1;
    const followed = status({ version, run, queue: [A, B], owner: 'elsewhere' });
    await test.emit({ kind: 'status', stream: STREAM, status: followed });
    await move(item(2), 'ArrowUp');
    expect(test.host.askedFor('moveQueued')).toEqual([]);
    expect(item(1).tabIndex).toBe(-1);
  });
});
