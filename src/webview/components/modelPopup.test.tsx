// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LoadedModel, ModelInfo } from '../../protocol/status';
import { CONVERSATION, facts, status, STREAM, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' });
const press = async (key: string, more: KeyboardEventInit = {}): Promise<void> => {
  fireEvent.keyDown(document.activeElement ?? box(), { key, ...more });
  await painted();
};
const open = async (model: string): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name: `Model: ${model}` }));
  await painted();
};
/** What they show, whether a space may break a line or not. */
const options = (): (string | undefined)[] =>
  screen.getAllByRole('option').map((option) => option.textContent?.replaceAll('\u00a0', ' '));

describe('The model picker', () => {
  let test: TestPage;
  beforeEach(async () => {
    test = openPage();
    await test.show([userMessage(1, 'the first')]);
    box().focus();
  });
  const hold = (models: readonly ModelInfo[], loaded: readonly LoadedModel[] = []): Promise<void> => {
    const server = { kind: 'up', host: '127.0.0.1:11434', version: '1', models, loaded } as const;
    return test.emit({ kind: 'facts', facts: facts({ version: 2, server }) });
  };

  it('opens by key, moves and chooses by keys, and gives the focus back', async () => {
    await press('.', { ctrlKey: true, altKey: true });
    const list = screen.getByRole('listbox', { name: 'Model' });
    expect(document.activeElement).toBe(list);
    expect(screen.getAllByRole('option').map((option) => option.title)).toEqual([
      'qwen3:14b',
      'llama3.2:3b',
      'gpt-oss:120b-cloud',
      '',
    ]);
    await press('End');
    await press('ArrowUp');
    await press('ArrowUp');
    await press('Enter');
    expect(test.host.askedFor('chooseModel')).toEqual([{ conversationId: CONVERSATION, model: 'llama3.2:3b' }]);
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(document.activeElement).toBe(box());
  });

  it('closes with Esc and does not stop the run', async () => {
    const run = { kind: 'writing', startedAt: 1 } as const;
    await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 2, run }) });
    await open('qwen3:14b');
    await press('Escape');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(test.host.askedFor('stop')).toEqual([]);
  });

  it('shows a chosen one that is gone first, and which run elsewhere', async () => {
    await test.emit({ kind: 'facts', facts: facts({ version: 2, model: 'old:7b' }) });
    await open('old:7b');
    expect(options()).toEqual([
      'old:7bNot on this Ollama',
      'qwen3:14b9.3 GB · 14.8B',
      'llama3.2:3b2.0 GB · 3.2B',
      'gpt-oss:120b-cloudruns on ollama.comRemote',
      'Pull a model…',
    ]);
  });

  it('tells what each can do, how much it can read, and which stand in memory', async () => {
    await hold(
      [
        { name: 'qwen3:14b', size: 9.3e9, parameterSize: '14.8B', tools: true, thinking: true, trainedContext: 40_960 },
        { name: 'gemma3:12b', size: 8.1e9, tools: false, vision: true, trainedContext: 131_072 },
        { name: 'plain' },
        { name: 'c:cloud', size: 382, trainedContext: 1_048_576, remoteHost: 'https://ollama.com:443' },
      ],
      [{ name: 'qwen3:14b', contextLength: 32_768 }, { name: 'plain:latest' }],
    );
    await open('qwen3:14b');
    expect(options().slice(0, 4)).toEqual([
      'qwen3:14bin memory · 9.3 GB · 14.8B · 32k of 40k window · tools, thinking',
      'gemma3:12b8.1 GB · 128k window · imagesNo tools',
      'plainin memory',
      'c:cloud1M window · runs on ollama.comRemote',
    ]);
  });

  it('shows what cannot chat last, and does not let it be chosen', async () => {
    await hold([{ name: 'nomic-embed-text', chat: false }, { name: 'qwen3:14b' }]);
    await open('qwen3:14b');
    const last = screen.getAllByRole('option')[1];
    expect(last?.textContent).toBe('nomic-embed-textmakes embeddings, cannot chat');
    expect(last?.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(last ?? document.body);
    await press('ArrowDown');
    await press('Enter');
    expect(test.host.askedFor('chooseModel')).toEqual([]);
    expect(screen.getByRole('listbox', { name: 'Model' })).toBeTruthy();
  });

  it('takes a name without a tag for that of the latest', async () => {
    const server = { kind: 'up', host: 'h', version: '1', models: [{ name: 'llama3.2:latest' }] } as const;
    await test.emit({ kind: 'facts', facts: facts({ version: 2, model: 'llama3.2', server }) });
    await open('llama3.2');
    expect(options()).toEqual(['llama3.2:latest', 'Pull a model…']);
    expect(screen.getAllByRole('option')[0]?.getAttribute('aria-selected')).toBe('true');
  });

  it('stays on the model that it stands on when another one arrives above it', async () => {
    await hold([{ name: 'qwen3:14b' }, { name: 'llama3.2:3b' }]);
    await open('qwen3:14b');
    await press('ArrowDown');
    const models = [{ name: 'new:1b' }, { name: 'qwen3:14b' }, { name: 'llama3.2:3b' }];
    const server = { kind: 'up', host: 'h', version: '1', models } as const;
    await test.emit({ kind: 'facts', facts: facts({ version: 3, server }) });
    expect(document.querySelector('.is-active')?.textContent).toBe('llama3.2:3b');
    await press('Enter');
    expect(test.host.askedFor('chooseModel')).toEqual([{ conversationId: CONVERSATION, model: 'llama3.2:3b' }]);
  });

  it('ends with the way to another model', async () => {
    await open('qwen3:14b');
    await press('End');
    await press('Enter');
    expect(test.host.askedFor('runCommand')).toEqual([{ command: 'pullModel' }]);
    expect(test.host.askedFor('chooseModel')).toEqual([]);
  });
});
