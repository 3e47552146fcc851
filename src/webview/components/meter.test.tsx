// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId, StreamId } from '../../protocol/ids';
import type { ContextMeter } from '../../protocol/status';
import { answer, CONVERSATION, facts, status, STREAM, text, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const FILLED: ContextMeter = {
  tokens: 12_400,
  system: 2_100,
  files: 5_600,
  history: 4_700,
  window: 32_768,
  trained: 40_960,
  reported: true,
};
const button = (name: string | RegExp): HTMLButtonElement => screen.getByRole('button', { name });
const dialog = (): HTMLElement => screen.getByRole('dialog', { name: 'Context' });
const used = (): string | null | undefined => document.querySelector('.ring .used')?.getAttribute('stroke-dasharray');

describe('The meter', () => {
  let test: TestPage;
  let version = 1;
  const fill = (context: ContextMeter, running = false): Promise<void> => {
    version += 1;
    const run = running ? ({ kind: 'writing', startedAt: 1 } as const) : ({ kind: 'idle' } as const);
    return test.emit({ kind: 'status', stream: STREAM, status: status({ version, context, run }) });
  };
  const open = async (): Promise<void> => {
    button(/^Context/).focus();
    fireEvent.click(button(/^Context/));
    await painted();
  };
  beforeEach(async () => {
    version = 1;
    test = openPage();
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')])]);
  });

  it('is not there until there is something to measure', async () => {
    expect(screen.queryByRole('button', { name: /^Context/ })).toBeNull();
    await fill(FILLED);
    expect(button('Context: 12.4k of 32.8k tokens, 38 %').textContent).toBe('38 %');
    expect(used()).toBe('38 100');
  });

  it('warns from 80 % on, and stays whole beyond the window', async () => {
    await fill({ ...FILLED, tokens: 26_000 });
    expect(button(/79 %$/).className).toBe('meter');
    await fill({ ...FILLED, tokens: 26_300 });
    expect(button(/80 %$/).className).toBe('meter high');
    await fill({ ...FILLED, tokens: 40_000 });
    expect(button('Context: 40.0k of 32.8k tokens, 122 %').className).toBe('meter high');
    expect(used()).toBe('100 100');
  });

  it('is empty as long as the window is not known', async () => {
    const { window: _, trained: __, ...unknown } = FILLED;
    await fill(unknown);
    expect(button('Context: 12.4k tokens. Window not known yet').textContent).toBe('');
    expect(used()).toBeUndefined();
    await open();
    expect(dialog().textContent).toContain('Window not known yet.');
    expect(within(dialog()).getByText('Free').parentElement?.textContent).toBe('Free–');
  });

  it('opens to what fills the window, and to what the window really is', async () => {
    await fill(FILLED);
    await open();
    expect(document.activeElement).toBe(dialog());
    const lines = [...dialog().querySelectorAll('dl > div')].map((line) => line.textContent);
    expect(lines).toEqual([
      'System and AGENTS.md2.1k6 %',
      'Files and tool results5.6k17 %',
      'History4.7k14 %',
      'Free20.4k62 %',
    ]);
    expect(dialog().textContent).toContain('12.4k of 32.8k tokens');
    expect(within(dialog()).getByRole('img').getAttribute('aria-label')).toBe(
      'System 2.1k, files 5.6k, history 4.7k, free 20.4k',
    );
    expect(dialog().textContent).toContain(
      'This model runs with a window of 32,768 tokens; the model itself can do 40,960. Older messages are summarised at 80 %.',
    );
    const server = facts().server;
    const loaded = [{ name: 'qwen3:14b', contextLength: 32_768 }];
    await test.emit({ kind: 'facts', facts: facts({ version: 2, server: { ...server, loaded } as typeof server }) });
    expect(dialog().textContent).toContain('Ollama has loaded this model with a window of 32,768 tokens;');
  });

  it('says when its figures are estimates', async () => {
    await fill({ ...FILLED, reported: false });
    await open();
    expect(dialog().textContent).toContain('These figures are estimates until Ollama reports its own.');
  });

  it('compacts, but not while an answer is written', async () => {
    await fill(FILLED, true);
    await open();
    expect(button('Compact now').disabled).toBe(true);
    expect(button('Compact now').title).toBe('Not while an answer is being written');
    await fill(FILLED);
    fireEvent.click(button('Compact now'));
    await painted();
    expect(test.host.askedFor('compact')).toEqual([{ conversationId: CONVERSATION }]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button(/^Context/));
  });

  it('leads to the setting of the window', async () => {
    await fill(FILLED);
    await open();
    fireEvent.click(button('Change window…'));
    await painted();
    expect(test.host.askedFor('runCommand')).toEqual([{ command: 'openWindowSetting' }]);
  });

  it('closes with Esc, gives the focus back, and stops no run', async () => {
    await fill(FILLED, true);
    await open();
    fireEvent.keyDown(dialog(), { key: 'Escape' });
    await painted();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button(/^Context/));
    expect(test.host.askedFor('stop')).toEqual([]);
  });

  it('closes when the focus goes elsewhere, but not while it stays inside', async () => {
    await fill(FILLED);
    await open();
    button('Compact now').focus();
    await painted();
    expect(dialog()).toBeTruthy();
    screen.getByRole('textbox', { name: 'Message' }).focus();
    await painted();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is closed where another window writes, and in the next conversation', async () => {
    await fill(FILLED);
    await open();
    const followed = status({ version: version + 1, context: FILLED, owner: 'elsewhere' });
    await test.emit({ kind: 'status', stream: STREAM, status: followed });
    expect(screen.queryByRole('dialog')).toBeNull();
    await test.emit({ kind: 'stale' });
    const conversation = { id: 'other' as ConversationId, kind: 'chat', title: 'Other', createdAt: 1 } as const;
    await test.show([], {
      stream: 'other' as StreamId,
      transcript: { conversation, messages: [], hasOlder: false },
      status: status({ context: FILLED }),
    });
    expect(button(/^Context/)).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
