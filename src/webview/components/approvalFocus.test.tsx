// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationStatus } from '../../protocol/status';
import { waitingCall } from '../testing/approval';
import { answer, AT_14_02, status, STREAM, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' });
const focused = (): string | undefined =>
  document.activeElement instanceof HTMLElement ? document.activeElement.dataset['request'] : undefined;
const press = async (key: string, more: KeyboardEventInit = {}): Promise<void> => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
  await painted();
};
const spoken = (): string => screen.getAllByRole('alert').find((one) => one.className === 'sr')?.textContent ?? '';

describe('A request that comes', () => {
  let test: TestPage;
  const run = (kind: 'tools' | 'awaiting_approval'): ConversationStatus['run'] => ({ kind, startedAt: AT_14_02 });
  beforeEach(async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    test = openPage();
    await test.show([userMessage(1, 'hi'), answer(2, [], { status: 'streaming' })], {
      status: status({ run: run('tools'), owner: 'here' }),
    });
    box().focus();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  let n = 0;
  const ask = (idx: number, id: string, more: Parameters<typeof waitingCall>[2] = {}): Promise<void> => {
    n += 1;
    const event = { type: 'part_set', seq: 2, idx, part: waitingCall(id, {}, more) } as const;
    return test.emit({ kind: 'batch', stream: STREAM, from: n, events: [event] });
  };
  beforeEach(() => {
    n = 0;
  });

  it('takes the focus as a whole, so that no key that is pressed just then answers it, and is spoken of once', async () => {
    await ask(0, 'r1');
    expect(focused()).toBe('r1');
    expect(document.activeElement?.getAttribute('role')).toBe('group');
    expect(spoken()).toBe('Approval needed: run npm test');
    await press('Enter');
    await press(' ');
    expect(test.host.askedFor('answer')).toEqual([]);
    await ask(0, 'r1', { state: 'running' });
    expect(spoken()).toBe('');
    await ask(1, 'r2');
    expect(spoken()).toBe('Approval needed: run npm test');
  });

  it('leaves the focus where something is being written', async () => {
    fireEvent.input(box(), { target: { value: 'wait' } });
    await ask(0, 'r1');
    expect(document.activeElement).toBe(box());
    expect(spoken()).toBe('Approval needed: run npm test');
  });

  it('leaves the focus in a popup, and in an editor beside the panel', async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Mode: Ask' }));
    await painted();
    await ask(0, 'r1');
    expect(document.activeElement?.getAttribute('role')).toBe('menuitemradio');
    await press('Escape');
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    await ask(1, 'r2');
    expect(document.activeElement).toBe(box());
  });

  it('is reached with F8 from anywhere, and the one before with Shift+F8', async () => {
    fireEvent.input(box(), { target: { value: 'wait' } });
    await ask(0, 'r1');
    await ask(1, 'r2');
    await press('F8');
    expect(focused()).toBe('r1');
    await press('F8');
    expect(focused()).toBe('r2');
    await press('F8');
    expect(focused()).toBe('r1');
    await press('F8', { shiftKey: true });
    expect(focused()).toBe('r2');
  });

  it('gives the focus to the next one when it is answered', async () => {
    await ask(0, 'r1');
    await ask(1, 'r2');
    expect(focused()).toBe('r1');
    await ask(0, 'r1', { state: 'running' });
    expect(focused()).toBe('r2');
  });

  it('that is out of sight is shown from the run line', async () => {
    fireEvent.input(box(), { target: { value: 'wait' } });
    await ask(0, 'r1');
    await test.emit({
      kind: 'status',
      stream: STREAM,
      status: status({ version: 2, run: run('awaiting_approval'), owner: 'here' }),
    });
    expect(screen.getByText('Waits for you')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show approval' })).toBeNull();
    test.page.permissions.setInSight('r1', false);
    await painted();
    fireEvent.click(screen.getByRole('button', { name: 'Show approval' }));
    await painted();
    expect(focused()).toBe('r1');
  });
});
