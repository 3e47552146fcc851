// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../protocol/message';
import type { Part } from '../../protocol/part';
import { answer, AT_14_02, status, STREAM, text, toolPart, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const click = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }));
  await painted();
};
const buttons = (): (string | null)[] =>
  screen.queryAllByRole('button', { expanded: false }).map((button) => button.getAttribute('aria-label'));

describe('The transcript', () => {
  let test: TestPage;
  beforeEach(() => {
    test = openPage();
  });

  it('names each message by who, when and how it stands', async () => {
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')])]);
    const log = screen.getByRole('log', { name: 'Conversation' });
    expect(log.getAttribute('aria-live')).toBe('off');
    const names = within(log)
      .getAllByRole('article')
      .map((one) => one.getAttribute('aria-label'));
    expect(names[0]).toMatch(/^You, \d\d?:02/);
    expect(names[1]).toMatch(/^qwen3:14b, \d\d?:03.*, done$/);
    expect(screen.getByText(/^qwen3:14b · \d\d?:03/).textContent).toContain('8 s');
  });

  it('shows a run with its word, clock and Stop, and the answer as running between its steps', async () => {
    const run = (kind: 'waiting' | 'tools') => ({ version: 1, run: { kind, startedAt: Date.now() - 41_000 } }) as const;
    await test.show([userMessage(1, 'hi')], { status: status(run('waiting')) });
    expect(screen.getByText('Waiting for the model')).toBeTruthy();
    expect(screen.getByText('0:41')).toBeTruthy();
    await test.emit(
      {
        kind: 'batch',
        stream: STREAM,
        from: 1,
        events: [{ type: 'message_added', message: answer(2, [toolPart('x', {})]) }],
      },
      { kind: 'status', stream: STREAM, status: status({ ...run('tools'), version: 2 }) },
    );
    expect(screen.getByText('Working')).toBeTruthy();
    expect(screen.getByRole('article', { name: /, running$/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it.each<[string, string, readonly Message[]]>([
    ['Waiting for the model', 'You', []],
    ['Waiting for the model', 'running', [answer(2, [], { status: 'streaming' })]],
    ['Writing', 'writing', [answer(2, [text('Half')], { status: 'streaming' })]],
    ['Working', 'running', [answer(2, [toolPart('x', {}, { state: 'running' })], { status: 'streaming' })]],
    ['Waiting for the model', 'running', [answer(2, [toolPart('x', {})])]],
  ])('shows as %s what another window runs, as far as its messages tell', async (word, name, answers) => {
    const asked = userMessage(1, 'hi', { createdAt: Date.now() - 41_000 });
    await test.show([asked, ...answers], { status: status({ owner: 'elsewhere' }) });
    expect(screen.getByText(word)).toBeTruthy();
    expect(screen.getByText('0:41')).toBeTruthy();
    expect(screen.getAllByRole('article').at(-1)?.getAttribute('aria-label')).toContain(name);
    expect(screen.queryByText(/^qwen3:14b · /)).toBeNull();
  });

  it('shows no run while another window does what its messages do not tell', async () => {
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')])], { status: status({ owner: 'elsewhere' }) });
    expect(screen.getByRole('article', { name: /, done$/ })).toBeTruthy();
    expect(screen.getByText(/^qwen3:14b · /)).toBeTruthy();
  });

  it('opens a tool row to what was asked and what came back', async () => {
    const content = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n');
    await test.show([
      userMessage(1, 'hi'),
      answer(2, [
        toolPart('search_text', { query: 'x', glob: '*.ts' }, { result: { content, summary: '60 matches' } }),
      ]),
    ]);
    await click('Searched for x, 60 matches, done');
    expect(screen.getByRole('group', { name: 'Arguments of x' }).textContent).toBe('glob: *.ts');
    expect(screen.getByRole('group', { name: 'Output of x' }).textContent?.split('\n')).toHaveLength(40);
    await click('Show all 60 lines');
    expect(screen.getByRole('group', { name: 'Output of x' }).textContent).toBe(content);
  });

  it('fetches what was left out when it is unfolded', async () => {
    const part = toolPart(
      'read_file',
      { path: 'a.ts' },
      { result: { content: 'head', omitted: 9_000, summary: '999 lines' } },
    );
    await test.show([userMessage(1, 'hi'), answer(2, [part])]);
    expect(test.host.askedFor('fetchPart')).toEqual([]);
    await click(/^Read a.ts/);
    expect(test.host.askedFor('fetchPart')).toEqual([{ stream: STREAM, seq: 2, idx: 0 }]);
    await test.emit({
      kind: 'part',
      stream: STREAM,
      asOf: 0,
      seq: 2,
      idx: 0,
      part: { ...part, result: { content: 'head and tail', summary: '999 lines' } },
    });
    expect(screen.getByRole('group', { name: 'Output of a.ts' }).textContent).toBe('head and tail');
  });

  const reads = (count: number): Part[] =>
    Array.from({ length: count }, (_, index) =>
      toolPart('read_file', { path: `${index}.ts` }, { startedAt: 0, endedAt: 4_100 }),
    );

  it('puts four or more finished readings together, also over the steps of an answer', async () => {
    const search = toolPart('search_text', { query: 'x' }, { endedAt: 4_100 });
    await test.show([
      userMessage(1, 'hi'),
      answer(2, reads(2)),
      answer(3, [text(''), ...reads(3)]),
      answer(4, [search, text('so')]),
    ]);
    expect(buttons()).toContain('Explored 3 files, 1 search, done');
    await click(/^Explored/);
    expect(screen.getAllByRole('button', { name: /^Read / })).toHaveLength(5);
  });

  it('puts nothing together that failed, is too little, or is still going on', async () => {
    const failed = toolPart('read_file', { path: 'x' }, { state: 'error' });
    await test.show([userMessage(1, 'hi'), answer(2, [...reads(3), failed, ...reads(3)])]);
    expect(screen.queryByRole('button', { name: /^Explored/ })).toBeNull();
    await test.show([], {});
    const live = openPage();
    await live.show([userMessage(1, 'hi'), answer(2, reads(6), { status: 'streaming' })], {
      status: status({ run: { kind: 'tools', startedAt: 1 } }),
    });
    expect(screen.queryByRole('button', { name: /^Explored/ })).toBeNull();
  });

  it('folds thinking, with how long it took', async () => {
    const thinking: Part = { type: 'thinking', text: 'a\nlast line', startedAt: 0, endedAt: 12_000 };
    await test.show([userMessage(1, 'hi'), answer(2, [thinking, text('x')])]);
    expect(screen.queryByText(/last line/)).toBeNull();
    await click('Thought for 12 s');
    expect(screen.getByText(/last line/)).toBeTruthy();
    const live = openPage();
    const now: Part = { type: 'thinking', text: 'a\nlast line', startedAt: Date.now() - 7_000 };
    await live.show([userMessage(1, 'hi'), answer(2, [now], { status: 'streaming' })]);
    expect(screen.getByRole('button', { name: 'Thinking' }).textContent).toContain('last line');
  });

  it('shows a part that it does not know as the text it is', async () => {
    await test.show([
      userMessage(1, 'hi'),
      answer(2, [{ type: 'unknown', originalType: 'audio', json: '{"a":"<b>"}' }]),
    ]);
    await click('Unknown part: audio. Kept, but this version cannot show it');
    expect(screen.getByRole('group', { name: 'Code, JSON' }).textContent).toBe('{"a":"<b>"}');
  });

  it('says that the person stopped it, without a notice', async () => {
    await test.show([userMessage(1, 'hi'), answer(2, [text('x')], { status: 'aborted', reason: 'stop' })]);
    expect(screen.getByText(/Stopped by you · /)).toBeTruthy();
    expect(screen.getByRole('article', { name: /, stopped$/ })).toBeTruthy();
  });

  it('retries the last answer only', async () => {
    await test.show([userMessage(1, 'a'), answer(2, [text('x')]), userMessage(3, 'b'), answer(4, [text('y')])]);
    await click('Retry');
    expect(test.host.askedFor('retry')).toHaveLength(1);
    expect(screen.getAllByRole('button', { name: 'Copy answer' })).toHaveLength(2);
  });

  it('says what is not saved, and why when asked', async () => {
    const save = { kind: 'unsaved', since: AT_14_02 - 1, waiting: 3, why: 'The disk is full.' } as const;
    await test.show([userMessage(1, 'hi')], { status: status({ save }) });
    const banner = screen.getByRole('alert', { name: 'Not saved' });
    expect(banner.textContent).toContain('3 messages wait to be written');
    expect(screen.getByRole('article', { name: /^You, .*, not saved yet$/ })).toBeTruthy();
    await click('Show why');
    expect(banner.textContent).toContain('The disk is full.');
    await click('Retry now');
    expect(test.host.askedFor('trySave')).toHaveLength(1);
  });

  it('says that changes were refused, and that the rest is saved', async () => {
    const save = { kind: 'rejected', count: 2, why: 'The history file refused changes.' } as const;
    await test.show([userMessage(1, 'hi')], { status: status({ save }) });
    const banner = screen.getByRole('alert', { name: 'Not saved' });
    expect(banner.textContent).toContain('2 changes could not be saved.');
    expect(banner.textContent).toContain('The history file refused changes.');
    expect(screen.getByRole('article', { name: /^You, / }).getAttribute('aria-label')).not.toContain('not saved');
  });

  it('draws only rows near the visible part of a long conversation', async () => {
    const messages = Array.from({ length: 1_000 }, (_, index) =>
      index % 2 === 0 ? userMessage(index + 1, 'question') : answer(index + 1, [text('word '.repeat(100))]),
    );
    await test.show(messages);
    const articles = screen.getAllByRole('article');
    expect(articles.length).toBeLessThan(40);
    expect(articles.at(-1)?.getAttribute('aria-posinset')).toBe('1000');
    expect(articles.at(-1)?.getAttribute('aria-setsize')).toBe('1000');
    expect(articles.filter((article) => article.tabIndex === 0)).toHaveLength(1);
  });
});
