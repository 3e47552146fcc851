// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ServerState } from '../../protocol/status';
import { answer, facts, text, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const down = (): Extract<ServerState, { kind: 'down' }> => ({
  kind: 'down',
  host: '127.0.0.1:11434',
  why: 'connection refused',
  triedAt: Date.now(),
  retryMs: 5_000,
});
const press = async (name: string): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }));
  await painted();
};
const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

describe('Where there is no message yet', () => {
  let test: TestPage;
  beforeEach(() => {
    test = openPage();
  });

  it('says what it is, and fills the composer without sending', async () => {
    await test.show([]);
    expect(heading()).toBe('Ask about harbor-queue');
    expect(screen.getByText(/Runs on this computer\. Every message is saved as you go\./)).toBeTruthy();
    await press('Find out why a test fails');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Find out why a test fails');
    expect(test.host.askedFor('send')).toEqual([]);
    expect(document.activeElement).toBe(screen.getByRole('textbox'));
  });

  it('asks for a folder when there is none', async () => {
    await test.show([], { facts: facts({ folder: undefined } as never) });
    expect(heading()).toBe('Ask anything');
    expect(screen.getByText(/Open a folder/)).toBeTruthy();
  });

  it.each([
    [
      'another server',
      { server: { kind: 'up', host: 'gpu.example:11434', version: '1', models: [{ name: 'qwen3:14b' }] } },
      'Runs on gpu.example:11434.',
    ],
    ['a remote window', { remote: 'dev-box' }, 'Runs on dev-box.'],
    ['a cloud model', { model: 'gpt-oss:120b-cloud' }, 'Runs on ollama.com.'],
  ] as const)('names the machine with %s', async (_, change, words) => {
    await test.show([], { facts: facts(change as never) });
    expect(screen.getByText(new RegExp(words))).toBeTruthy();
  });

  it('shows three ways to an Ollama that does not answer', async () => {
    await test.show([], { facts: facts({ server: down(), remote: 'dev-box' }) });
    const region = screen.getByRole('region', { name: 'Ollama does not answer' });
    expect(region.textContent).toContain('at 127.0.0.1:11434 on dev-box.');
    expect(region.textContent).toMatch(/Tried .* · again in \d s/);
    expect(screen.getByRole('button', { name: 'Copy command: ollama serve' })).toBeTruthy();
    fireEvent.click(screen.getByRole('link', { name: 'ollama.com/download' }));
    await press('Try again');
    await press('Choose host…');
    await press('Run in terminal');
    expect(test.host.askedFor('openLink')).toEqual([{ href: 'https://ollama.com/download' }]);
    expect(test.host.askedFor('tryServer')).toHaveLength(1);
    expect(test.host.askedFor('runCommand')).toEqual([{ command: 'chooseHost' }, { command: 'startOllama' }]);
  });

  it('never hides the history behind a server that does not answer', async () => {
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')])], { facts: facts({ server: down() }) });
    expect(screen.getAllByRole('article')).toHaveLength(2);
    expect(screen.getByRole('region', { name: 'Ollama does not answer' })).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1);
  });

  it('offers what was found where no server answers, and uses nothing unasked', async () => {
    const offers = [
      { kind: 'host', host: 'host.docker.internal:11434', why: 'the computer that runs this container' },
      { kind: 'forward', line: 'RemoteForward 11434 127.0.0.1:11434' },
    ] as const;
    const server: ServerState = { ...down(), offers };
    await test.show([], { facts: facts({ server }) });
    expect(screen.getByRole('group', { name: 'Found on the way' }).textContent).toContain(
      'Ollama answers at host.docker.internal:11434 (the computer that runs this container)',
    );
    expect(screen.getByRole('button', { name: 'Copy command: RemoteForward 11434 127.0.0.1:11434' })).toBeTruthy();
    expect(test.host.askedFor('useHost')).toEqual([]);
    await press('Use host.docker.internal:11434');
    expect(test.host.askedFor('useHost')).toEqual([{ host: 'host.docker.internal:11434' }]);
  });

  it('offers what was found also above the composer of a conversation', async () => {
    const offers = [{ kind: 'host', host: '10.0.2.2:11434', why: '' }] as const;
    const server: ServerState = { ...down(), offers };
    await test.show([userMessage(1, 'hi')], { facts: facts({ server }) });
    await press('Use 10.0.2.2:11434');
    expect(test.host.askedFor('useHost')).toEqual([{ host: '10.0.2.2:11434' }]);
  });
});
