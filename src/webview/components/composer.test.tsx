// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, CONVERSATION, facts, status, STREAM, text, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' });
const button = (name: string | RegExp): HTMLButtonElement => screen.getByRole('button', { name });
const type = async (words: string): Promise<void> => {
  fireEvent.input(box(), { target: { value: words } });
  await painted();
};
const press = async (key: string, more: KeyboardEventInit & { keyCode?: number } = {}): Promise<void> => {
  fireEvent.keyDown(document.activeElement === document.body ? box() : (document.activeElement ?? box()), {
    key,
    ...more,
  });
  await painted();
};
const running = (kind: 'writing' | 'stopping' = 'writing') => ({
  status: status({ version: 2, run: { kind, startedAt: 1 } }),
});

describe('The composer', () => {
  let test: TestPage;
  beforeEach(async () => {
    test = openPage();
    await test.show([userMessage(1, 'the first'), answer(2, [text('ok')])]);
    box().focus();
  });

  it('sends with Enter, shows the message at once, and is empty again', async () => {
    await type('why?');
    await press('Enter');
    expect(test.host.askedFor('send')).toMatchObject([{ conversationId: CONVERSATION, text: 'why?' }]);
    expect(box().value).toBe('');
    expect(screen.getAllByRole('article', { name: /^You/ })).toHaveLength(2);
  });

  it('does not send with Shift+Enter, an empty text, or Enter that an input method takes', async () => {
    await type('こんに');
    await press('Enter', { shiftKey: true });
    await press('Enter', { isComposing: true });
    await press('Enter', { keyCode: 229 });
    await type('  \n ');
    await press('Enter');
    expect(test.host.askedFor('send')).toEqual([]);
  });

  it('stops a run with Esc or Stop, and keeps the text', async () => {
    await test.emit({ kind: 'status', stream: STREAM, ...running() });
    await type('next question');
    await press('Escape', { isComposing: true });
    expect(test.host.askedFor('stop')).toEqual([]);
    await press('Escape');
    fireEvent.click(button('Stop'));
    expect(test.host.askedFor('stop')).toHaveLength(2);
    expect(box().value).toBe('next question');
  });

  it('cannot stop twice', async () => {
    await test.emit({ kind: 'status', stream: STREAM, ...running('stopping') });
    expect(button('Stop').disabled).toBe(true);
    await press('Escape');
    expect(test.host.askedFor('stop')).toEqual([]);
  });

  it('recalls the last own words with Up, only when it is empty', async () => {
    await type('x');
    await press('ArrowUp');
    expect(box().value).toBe('x');
    await type('');
    await press('ArrowUp');
    expect(box().value).toBe('the first');
  });

  it('says in an alert why a message was not sent, and has the text again', async () => {
    test.host.reply = () => ({ ok: false, message: 'It is being written elsewhere.' });
    await type('why?');
    await press('Enter');
    await painted();
    expect(screen.getByRole('alert', { name: 'Error' }).textContent).toContain('It is being written elsewhere.');
    expect(box().value).toBe('why?');
    fireEvent.click(button('Dismiss'));
    await painted();
    expect(screen.queryByRole('alert', { name: 'Error' })).toBeNull();
  });

  it('says when a message is too long, and does not send it', async () => {
    await type('x'.repeat(1_000_001));
    expect(screen.getByText(/Too long to send: 1,000,001 of 1,000,000/)).toBeTruthy();
    expect(button('Send message').disabled).toBe(true);
  });

  it.each([
    ['a folder', {}, 'Ask about this folder. / runs a command'],
    ['no folder', { folder: undefined }, 'Ask anything. / runs a command'],
    [
      'no server',
      { server: { kind: 'down', host: 'h', why: '', triedAt: 0, retryMs: 0 } },
      'Write now, send when Ollama answers',
    ],
    [
      'no model',
      { server: { kind: 'up', host: 'h', version: '1', models: [] } },
      'Write now, send when the model is here',
    ],
  ] as const)('with %s asks for the right thing', async (_, change, placeholder) => {
    await test.emit({ kind: 'facts', facts: facts({ version: 2, ...change } as never) });
    expect(box().placeholder).toBe(placeholder);
    await type('hello');
    expect(button('Send message').disabled).toBe(placeholder.startsWith('Write'));
  });

  it('is replaced by a banner while another window writes the conversation', async () => {
    await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 2, owner: 'elsewhere' }) });
    expect(screen.queryByRole('form', { name: 'Message composer' })).toBeNull();
    expect(screen.getByRole('status', { name: 'Running in another window' }).textContent).toContain('read-only');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });
});
