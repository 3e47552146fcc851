// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PullState, WindowFacts } from '../../protocol/status';
import { suggestedModels } from '../../protocol/suggestedModels';
import { answer, facts, text, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const EMPTY = { kind: 'up', host: 'h', version: '0.14.2', models: [] } as const;
const pulling = (more: Partial<Extract<PullState, { kind: 'pulling' }>> = {}): PullState => ({
  model: 'qwen3:8b',
  kind: 'pulling',
  status: 'pulling dde5aa3fc5ff',
  completed: 2.1e9,
  total: 5.2e9,
  bytesPerSecond: 38e6,
  ...more,
});
const row = (model: string): HTMLElement => screen.getByRole('group', { name: model });
const press = async (name: string): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }));
  await painted();
};

describe('Models to pull', () => {
  let test: TestPage;
  const noModels = (more: Partial<WindowFacts> = {}): Promise<void> => {
    const { model: _, ...rest } = facts({ server: EMPTY, ...more });
    return test.show([], { facts: rest });
  };
  beforeEach(() => {
    test = openPage();
  });

  it('are suggested where there is none, as far as they fit into the memory', async () => {
    await noModels({ memory: 15.5 * 2 ** 30 });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Pull a model to begin');
    expect(screen.getByText(/^Ollama 0\.14\.2 answers, but holds no model yet\./).textContent).toContain(
      'These can use tools and fit into 16 GB of memory.',
    );
    expect(row('qwen3:8b').textContent).toBe('qwen3:8b5.2 GB · thinking, toolsPull');
    await press('Pull qwen2.5-coder:7b');
    expect(test.host.askedFor('pull')).toEqual([{ model: 'qwen2.5-coder:7b' }]);
    await press('Pull another model…');
    await press('Choose host…');
    expect(test.host.askedFor('runCommand')).toEqual([{ command: 'pullModel' }, { command: 'chooseHost' }]);
  });

  it.each([
    [undefined, ['qwen3:8b', 'qwen2.5-coder:7b', 'qwen3:4b'], undefined],
    [8 * 2 ** 30, ['qwen3:4b', 'llama3.2:3b', 'qwen3:1.7b'], 8],
    [64 * 2 ** 30, ['qwen3:30b', 'gpt-oss:20b', 'qwen3:14b'], 64],
    [2 ** 30, ['qwen3:0.6b'], undefined],
  ] as const)('with %s bytes of memory are %j', (memory, names, gigabytes) => {
    const suggested = suggestedModels(memory);
    expect(suggested.models.map(({ name }) => name)).toEqual(names);
    expect(suggested.gigabytes).toBe(gigabytes);
  });

  it('show how far they are, how long it will take, and that cancelling loses nothing', async () => {
    await noModels({ pulls: [pulling()] });
    const bar = within(row('qwen3:8b')).getByRole('progressbar', { name: 'Pulling qwen3:8b' });
    expect(bar.getAttribute('aria-valuenow')).toBe('40');
    expect(row('qwen3:8b').textContent).toContain('Pulling · 2.1 of 5.2 GB');
    expect(row('qwen3:8b').textContent).toContain(
      '38 MB/s · about 1 min 30 s left · cancelling keeps what has arrived',
    );
    await press('Cancel pulling qwen3:8b');
    expect(test.host.askedFor('cancelPull')).toEqual([{ model: 'qwen3:8b' }]);
  });

  it('keep the focus when the button goes that was pressed, and are spoken of when they end', async () => {
    await noModels({ pulls: [] });
    screen.getByRole('button', { name: 'Pull qwen3:8b' }).focus();
    await test.emit({ kind: 'facts', facts: facts({ version: 3, server: EMPTY, pulls: [pulling()] }) });
    expect(document.activeElement).toBe(row('qwen3:8b'));
    const failed = { model: 'qwen3:8b', kind: 'failed', why: 'The disk is full.' } as const;
    await test.emit({ kind: 'facts', facts: facts({ version: 4, server: EMPTY, pulls: [failed] }) });
    const spoken = (role: string): (string | null)[] => screen.getAllByRole(role).map((one) => one.textContent);
    expect(spoken('alert')).toContain('qwen3:8b was not pulled. The disk is full.');
    await test.emit({ kind: 'facts', facts: facts({ version: 5, server: EMPTY, pulls: [pulling()] }) });
    const server = { ...EMPTY, models: [{ name: 'qwen3:8b' }] };
    await test.emit({ kind: 'facts', facts: facts({ version: 6, server, pulls: [] }) });
    expect(spoken('status')).toContain('qwen3:8b is there');
  });

  it.each([
    [{ status: 'pulling manifest', completed: undefined, total: undefined }, 'Pulling', null],
    [{ status: 'verifying sha256 digest', completed: 5.2e9 }, 'Pulling · verifying sha256 digest', '100'],
    [{ completed: undefined, bytesPerSecond: undefined }, 'Pulling · 0.0 of 5.2 GB', '0'],
    [{ completed: 100e6, total: 523e6 }, 'Pulling · 100 of 523 MB', '19'],
  ])('say no more than is known: %j', async (more, words, now) => {
    await noModels({ pulls: [pulling(more as Partial<Extract<PullState, { kind: 'pulling' }>>)] });
    expect(within(row('qwen3:8b')).getByText(words)).toBeTruthy();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe(now);
    expect(/cancelling keeps what has arrived$/i.test(row('qwen3:8b').textContent ?? '')).toBe(true);
  });

  it('say why one was not pulled, try again, and go when they are dismissed', async () => {
    await noModels({ pulls: [{ model: 'typo:1b', kind: 'failed', why: 'Ollama does not know this model.' }] });
    expect(row('typo:1b').textContent).toContain('Ollama does not know this model.');
    fireEvent.click(within(row('typo:1b')).getByRole('button', { name: 'Try again' }));
    fireEvent.click(within(row('typo:1b')).getByRole('button', { name: 'Dismiss typo:1b' }));
    expect(test.host.askedFor('pull')).toEqual([{ model: 'typo:1b' }]);
    expect(test.host.askedFor('cancelPull')).toEqual([{ model: 'typo:1b' }]);
  });

  it('that are on their way stand above the composer of a conversation', async () => {
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')])], { facts: facts({ pulls: [pulling()] }) });
    const list = screen.getByRole('group', { name: 'Models being pulled' });
    expect(within(list).getByRole('progressbar', { name: 'Pulling qwen3:8b' })).toBeTruthy();
    await test.emit({ kind: 'facts', facts: facts({ version: 2, pulls: [] }) });
    expect(screen.queryByRole('group', { name: 'Models being pulled' })).toBeNull();
  });
});
