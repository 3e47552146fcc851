// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, CONVERSATION, status, STREAM, text, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' });
const type = async (words: string): Promise<void> => {
  fireEvent.input(box(), { target: { value: words } });
  await painted();
};
const press = async (key: string, more: KeyboardEventInit = {}): Promise<void> => {
  fireEvent.keyDown(box(), { key, ...more });
  await painted();
};
const list = (): HTMLElement | null => screen.queryByRole('listbox', { name: 'Commands' });
const options = (): (string | null)[] => screen.queryAllByRole('option').map((option) => option.textContent);
const chosen = (): string | null | undefined =>
  document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent;

describe('A command', () => {
  let test: TestPage;
  beforeEach(async () => {
    test = openPage();
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')])]);
    box().focus();
  });

  it('is offered when / is typed at the start, and no longer when it is a sentence', async () => {
    await type('see /');
    expect(list()).toBeNull();
    await type('/');
    expect(list()).toBeTruthy();
    expect(options().map((words) => words?.split(/(?<=^\/[a-z]+)(?=[A-Z])/)[0])).toEqual([
      '/compact',
      '/new',
      '/resume',
      '/model',
    ]);
    expect(box().getAttribute('aria-controls')).toBe(list()?.id);
    await type('/logs/a.log is full');
    expect(list()).toBeNull();
    expect(box().hasAttribute('aria-activedescendant')).toBe(false);
  });

  it('is found by typing, chosen by keys while the focus stays in the text, and done by Enter', async () => {
    await type('/');
    await press('ArrowDown');
    expect(chosen()).toBe('/newNew conversation');
    await press('End');
    await press('ArrowDown');
    expect(chosen()).toBe('/modelChoose the model');
    await press('Home');
    await press('ArrowUp');
    expect(chosen()).toMatch(/^\/compact/);
    await type('/RE');
    expect(options()).toHaveLength(1);
    await press('Enter');
    expect(test.host.askedFor('runCommand')).toEqual([{ command: 'resumeConversation' }]);
    expect(box().value).toBe('');
    expect(document.activeElement).toBe(box());
    expect(test.host.askedFor('send')).toEqual([]);
  });

  it('summarises with /compact, by Tab as well, but not while an answer is written', async () => {
    await type('/c');
    await press('Tab');
    expect(test.host.askedFor('compact')).toEqual([{ conversationId: CONVERSATION }]);
    const run = { kind: 'writing', startedAt: 1 } as const;
    await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 2, run }) });
    await type('/c');
    expect(options()).toEqual(['/compactNot while an answer is being written']);
    await press('Enter');
    expect(test.host.askedFor('compact')).toHaveLength(1);
    expect(box().value).toBe('/c');
  });

  it('can be clicked', async () => {
    await type('/');
    fireEvent.click(screen.getByRole('option', { name: /^\/new/ }));
    await painted();
    expect(test.host.askedFor('runCommand')).toEqual([{ command: 'newConversation' }]);
    expect(list()).toBeNull();
  });

  it('opens the list of models', async () => {
    await type('/mo');
    await press('Enter');
    expect(document.activeElement).toBe(screen.getByRole('listbox', { name: 'Model' }));
  });

  it('is not offered again after Esc, until another one is begun, and Esc stops no run then', async () => {
    const run = { kind: 'writing', startedAt: 1 } as const;
    await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 2, run }) });
    await type('/');
    await press('Escape');
    expect(list()).toBeNull();
    expect(box().value).toBe('/');
    expect(test.host.askedFor('stop')).toEqual([]);
    await type('/n');
    expect(list()).toBeNull();
    await type('');
    await type('/');
    expect(list()).toBeTruthy();
  });

  it('that does not exist is a message', async () => {
    await type('/foo');
    expect(options()).toEqual(['No match']);
    await press('Enter');
    expect(test.host.askedFor('send')).toMatchObject([{ text: '/foo' }]);
  });
});
