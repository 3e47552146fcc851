// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { CONVERSATION, status, STREAM, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' });
const press = async (key: string, more: KeyboardEventInit = {}): Promise<void> => {
  fireEvent.keyDown(document.activeElement ?? box(), { key, ...more });
  await painted();
};
const button = (name: string): HTMLButtonElement => screen.getByRole('button', { name });

describe('The mode', () => {
  let test: TestPage;
  beforeEach(async () => {
    test = openPage();
    await test.show([userMessage(1, 'hi')]);
    box().focus();
  });

  it('is named in the composer, and each is explained where it is chosen', async () => {
    await press('.', { ctrlKey: true });
    expect(screen.getByRole('menu', { name: 'Mode' })).toBeTruthy();
    const items = screen.getAllByRole('menuitemradio');
    expect(items.map((item) => item.getAttribute('aria-checked'))).toEqual(['true', 'false', 'false']);
    expect(items.map((item) => item.textContent)).toEqual([
      'AskReads on its own. Asks before every edit and command.',
      'Auto-editEdits files in this folder without asking. Asks before commands.',
      'BypassEdits and runs commands in this folder without asking. Still asks outside it, and for settings and hooks. Off again in the next conversation.',
    ]);
    expect(document.activeElement).toBe(items[0]);
    await press('.', { ctrlKey: true });
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(box());
    expect(test.host.askedFor('setMode')).toEqual([]);
  });

  it('holds only when the host says so; until then it can be seen that it changes', async () => {
    await press('.', { ctrlKey: true });
    await press('End');
    await press('Enter');
    expect(test.host.askedFor('setMode')).toEqual([{ conversationId: CONVERSATION, mode: 'bypass' }]);
    expect(document.activeElement).toBe(box());
    expect(button('Mode: Ask').disabled).toBe(true);
    expect(button('Mode: Ask').title).toBe('Changing to Bypass…');
    await press('.', { ctrlKey: true });
    expect(screen.queryByRole('menu')).toBeNull();
    await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 2, mode: 'bypass' }) });
    expect(button('Mode: Bypass').disabled).toBe(false);
    expect(screen.getByRole('form', { name: 'Message composer' }).className).toContain('bypass');
  });

  it('says why it was not changed', async () => {
    test.host.reply = ({ method }) =>
      method === 'setMode' ? { ok: false, message: 'This folder is not trusted.' } : { ok: true };
    fireEvent.click(button('Mode: Ask'));
    await painted();
    fireEvent.click(screen.getAllByRole('menuitemradio')[1] ?? box());
    await painted();
    expect(screen.getByRole('alert', { name: 'Error' }).textContent).toContain(
      'The mode was not changed. This folder is not trusted.',
    );
    expect(button('Mode: Ask').disabled).toBe(false);
  });

  it('is not changed by choosing the one that holds', async () => {
    fireEvent.click(button('Mode: Ask'));
    await painted();
    await press('Enter');
    expect(test.host.askedFor('setMode')).toEqual([]);
  });
});
