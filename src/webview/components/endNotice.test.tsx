// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EndReason, Message } from '../../protocol/message';
import { retryWords } from '../endingWords';
import { answer, CONVERSATION, facts, status, STREAM, text, toolPart, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const MODEL = 'gone:7b';
const notice = (group: string): HTMLElement => screen.getByRole('group', { name: group });
const offers = (group: string): (string | null)[] =>
  within(notice(group))
    .queryAllByRole('button')
    .map((one) => one.getAttribute('aria-label') ?? one.textContent);
const click = async (name: string): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }));
  await painted();
};
const articleThatIs = (word: string): HTMLElement => screen.getByRole('article', { name: new RegExp(`, ${word}$`) });

interface Row {
  readonly group: string;
  readonly says: string;
  readonly offers: readonly string[];
  readonly word?: string;
  readonly more?: Partial<Message>;
}

const aborted = { status: 'aborted' } as const;

/** Every reason but that of the person, who needs no notice. */
const ENDINGS: Readonly<Record<Exclude<EndReason, 'stop'>, Row>> = {
  crash: {
    group: 'Interrupted',
    says: 'Interrupted at',
    offers: ['Continue', 'Retry'],
    word: 'interrupted',
    more: aborted,
  },
  takeover: { group: 'Interrupted', says: 'Another window', offers: [], word: 'interrupted', more: aborted },
  fork: { group: 'Interrupted', says: 'It was forked', offers: ['Retry'], word: 'interrupted', more: aborted },
  length: {
    group: 'Answer cut off',
    says: 'limit of length',
    offers: ['Continue'],
    word: 'cut off',
    more: { status: 'done' },
  },
  step_limit: {
    group: 'Stopped at a limit',
    says: 'limit of 1 turn reached',
    offers: ['Continue'],
    word: 'done',
    more: { status: 'done' },
  },
  repeated_calls: { group: 'Stopped at a limit', says: 'same call again', offers: ['Retry', 'Choose another model'] },
  tool_errors: { group: 'Stopped at a limit', says: 'calls in a row failed', offers: ['Continue', 'Retry'] },
  too_long: { group: 'Answer cut off', says: 'grew too long', offers: ['Continue', 'Retry'] },
  context_full: {
    group: 'Window full',
    says: 'Your message does not fit',
    offers: ['Change window…', 'Choose another model'],
  },
  empty: { group: 'Empty answer', says: 'answered nothing', offers: ['Retry'] },
  internal: { group: 'Internal error', says: 'inside Holdfast', offers: ['Retry', 'Show log'] },
  unreachable: { group: 'Ollama does not answer', says: 'at 127.0.0.1:11434', offers: ['Retry'] },
  cut_off: { group: 'Answer cut off', says: 'The answer was cut off.', offers: ['Continue', 'Retry'], word: 'cut off' },
  stalled: { group: 'Answer cut off', says: 'went silent', offers: ['Continue', 'Retry'] },
  model_not_found: {
    group: 'Model not found',
    says: `${MODEL} is not on this Ollama.`,
    offers: [`Pull ${MODEL}`, 'Choose another model'],
  },
  model_fault: { group: 'Call not readable', says: 'could not be read', offers: ['Retry', 'Choose another model'] },
  no_tools: { group: 'No tools', says: `${MODEL} cannot use tools.`, offers: ['Choose another model'] },
  no_thinking: { group: 'No thinking', says: `${MODEL} cannot think`, offers: ['Retry', 'Choose another model'] },
  no_chat: { group: 'No chat', says: `${MODEL} cannot chat.`, offers: ['Choose another model'] },
  overflow: { group: 'Window full', says: 'The conversation does not fit', offers: ['Compact now', 'Change window…'] },
  bad_request: { group: 'Server error', says: 'did not understand', offers: ['Retry'] },
  sign_in: {
    group: 'Sign-in needed',
    says: 'not signed in',
    offers: ['Copy command: ollama signin', 'Retry', 'Choose another model'],
  },
  cloud_off: { group: 'Cloud switched off', says: 'told not to use it', offers: ['Choose another model'] },
  cloud_unreachable: {
    group: 'Cloud does not answer',
    says: 'does not reach the cloud',
    offers: ['Retry', 'Choose another model'],
  },
  forbidden: { group: 'Not allowed', says: 'does not take requests', offers: ['Retry', 'Choose host…'] },
  busy: { group: 'Ollama is busy', says: 'too many requests', offers: ['Retry'] },
  rate_limited: { group: 'Limit of use reached', says: 'no more requests', offers: ['Retry', 'Choose another model'] },
  load_failed: {
    group: 'Model not loaded',
    says: 'a smaller window',
    offers: ['Choose another model', 'Change window…', 'Retry'],
  },
  runner_stopped: {
    group: 'Model stopped',
    says: 'a smaller window',
    offers: ['Retry', 'Choose another model', 'Change window…'],
  },
  server_error: { group: 'Server error', says: 'reported an error', offers: ['Retry'] },
};

describe('How an answer ended', () => {
  let test: TestPage;
  beforeEach(() => {
    test = openPage();
  });
  const showEnded = (reason: EndReason, more: Partial<Message> = {}): Promise<void> => {
    const ended = answer(2, [text('So far')], { status: 'error', reason, model: MODEL, ...more });
    return test.show([userMessage(1, 'hi'), ended], { facts: facts({ model: MODEL }) });
  };

  it.each(Object.entries(ENDINGS))('for the reason %s is said in words, with ways on', async (reason, row) => {
    await showEnded(reason as EndReason, row.more);
    expect(articleThatIs(row.word ?? 'failed')).toBeTruthy();
    expect(notice(row.group).textContent).toContain(row.says);
    expect(offers(row.group)).toEqual(row.offers);
    // In the notice or below it, but only once.
    expect(screen.queryAllByRole('button', { name: 'Retry' })).toHaveLength(1);
    expect(notice(row.group).querySelectorAll('.btn:not(.second, .ghost)').length).toBeLessThanOrEqual(1);
  });

  it('is told of in a run that tries again, for every reason, in lower case and without an end', () => {
    for (const words of Object.values(retryWords)) expect(words).toMatch(/^(?:Ollama|[a-z]).*[a-z]$/);
  });

  it('says nothing to go on from when nothing arrived', async () => {
    await test.show([userMessage(1, 'hi'), answer(2, [text('')], { status: 'error', reason: 'cut_off' })]);
    expect(offers('Answer cut off')).toEqual(['Retry']);
  });

  it('shows the words of the server only when asked', async () => {
    await showEnded('sign_in', { detail: 'https://ollama.com/connect?name=host' });
    expect(screen.queryByText(/ollama.com/)).toBeNull();
    await click('Details');
    expect(screen.getByText('https://ollama.com/connect?name=host')).toBeTruthy();
  });

  it('goes on with a message of the person, and leaves alone what they are writing', async () => {
    await showEnded('step_limit');
    const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
    fireEvent.input(box, { target: { value: 'my own words' } });
    await click('Continue');
    expect(test.host.askedFor('send')).toMatchObject([{ conversationId: CONVERSATION, text: 'Continue.' }]);
    expect(box.value).toBe('my own words');
  });

  it('counts the turns of the whole answer', async () => {
    const step = (seq: number) => answer(seq, [toolPart('read_file', { path: 'a.ts' })]);
    const last = answer(4, [toolPart('x', {})], { reason: 'step_limit' });
    await test.show([userMessage(1, 'hi'), step(2), step(3), last]);
    expect(notice('Stopped at a limit').textContent).toContain('Stopped: limit of 3 turns reached.');
  });

  it('leads to the window, the list of models and the host', async () => {
    await showEnded('context_full');
    await click('Change window…');
    await click('Choose another model');
    expect(screen.getByRole('listbox', { name: 'Model' })).toBeTruthy();
    expect(test.host.askedFor('runCommand')).toEqual([{ command: 'openWindowSetting' }]);
    test = openPage();
    await showEnded('overflow');
    await click('Compact now');
    expect(test.host.askedFor('compact')).toEqual([{ conversationId: CONVERSATION }]);
  });

  it('names the limit of turns as it is told, though the last word was one request more', async () => {
    const steps = Array.from({ length: 3 }, (_, n) => answer(n + 2, [toolPart('x', {})]));
    await test.show([
      userMessage(1, 'hi'),
      ...steps,
      answer(5, [text('so far')], { reason: 'step_limit', detail: '3' }),
    ]);
    expect(notice('Stopped at a limit').textContent).toContain('limit of 3 turns reached');
    expect(offers('Stopped at a limit')).toEqual(['Continue']);
  });

  it('offers nothing under an answer that others follow', async () => {
    await test.show([
      userMessage(1, 'hi'),
      answer(2, [], { status: 'error', reason: 'context_full' }),
      userMessage(3, 'shorter'),
      answer(4, [text('yes')]),
    ]);
    expect(offers('Window full')).toEqual([]);
    expect(notice('Window full').textContent).not.toContain('Shorten it');
  });

  describe('without its model', () => {
    it('pulls it in place, and then tries again', async () => {
      await showEnded('model_not_found');
      screen.getByRole('button', { name: `Pull ${MODEL}` }).focus();
      await click(`Pull ${MODEL}`);
      expect(test.host.askedFor('pull')).toEqual([{ model: MODEL }]);
      const pull = { model: MODEL, kind: 'pulling', status: 'pulling abc', completed: 1e9, total: 4e9 } as const;
      await test.emit({ kind: 'facts', facts: facts({ version: 2, model: MODEL, pulls: [pull] }) });
      const bar = within(notice('Model not found')).getByRole('progressbar', { name: `Pulling ${MODEL}` });
      expect(bar.getAttribute('aria-valuenow')).toBe('25');
      expect(document.activeElement).toBe(notice('Model not found'));
      expect(screen.getAllByRole('progressbar')).toHaveLength(1);
      expect(screen.queryByRole('button', { name: `Pull ${MODEL}` })).toBeNull();
      const server = { kind: 'up', host: 'h', version: '1', models: [{ name: MODEL }] } as const;
      await test.emit({ kind: 'facts', facts: facts({ version: 3, model: MODEL, server }) });
      expect(offers('Model not found')).toEqual(['Retry', 'Choose another model']);
      expect(notice('Model not found').textContent).toContain('It is there now.');
    });

    it('tries again as soon as another one is chosen', async () => {
      await showEnded('model_not_found');
      expect(offers('Model not found')[0]).toBe(`Pull ${MODEL}`);
      await test.emit({
        kind: 'batch',
        stream: STREAM,
        from: 1,
        events: [{ type: 'conversation_changed', model: 'llama3.2:3b' }],
      });
      expect(offers('Model not found')).toEqual(['Retry', 'Choose another model']);
      const pull = { model: MODEL, kind: 'pulling', status: 'pulling abc', completed: 1e9, total: 4e9 } as const;
      await test.emit({ kind: 'facts', facts: facts({ version: 2, model: MODEL, pulls: [pull] }) });
      expect(offers('Model not found')).toEqual([`Cancel pulling ${MODEL}`, 'Retry', 'Choose another model']);
    });
  });

  describe('in the middle of it', () => {
    const fault = answer(2, [text('Let me look.')], { status: 'error', reason: 'model_fault' });

    it('a call that could not be read is one line, and the answer goes on', async () => {
      await test.show([userMessage(1, 'hi'), fault, answer(3, [text('Here it is.')])]);
      expect(screen.getAllByRole('article')).toHaveLength(2);
      expect(screen.getByText('The model’s call could not be read; asked again')).toBeTruthy();
      expect(screen.queryByRole('group', { name: 'Call not readable' })).toBeNull();
      expect(articleThatIs('done')).toBeTruthy();
    });

    it('it is not the end as long as the run lives, nor is it spoken of', async () => {
      const run = { kind: 'retrying', attempt: 2, of: 3, reason: 'model_fault', startedAt: 1 } as const;
      const streaming = answer(2, [text('Let me look.')], { status: 'streaming' });
      await test.show([userMessage(1, 'hi'), streaming], { status: status({ run }) });
      const end = { status: 'error', reason: 'model_fault', endedAt: 2 } as const;
      await test.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'message_ended', seq: 2, end }] });
      expect(articleThatIs('running')).toBeTruthy();
      expect(screen.getByText('Retrying, 2 of 3: the tool call was malformed')).toBeTruthy();
      expect(screen.queryByRole('group', { name: 'Call not readable' })).toBeNull();
      expect(screen.getAllByRole('alert').map((one) => one.textContent)).toEqual(['']);
      await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 2 }) });
      expect(notice('Call not readable')).toBeTruthy();
      expect(screen.getAllByRole('alert')[0]?.textContent).toBe('The model’s call could not be read.');
    });
  });

  it('says once what went otherwise than it should, though there is an answer', async () => {
    await test.show([
      userMessage(1, 'hi'),
      answer(2, [toolPart('x', {})], { notes: ['prompt_cut'] }),
      answer(3, [text('so')], { notes: ['prompt_cut', 'without_thinking'] }),
    ]);
    expect(screen.getAllByText(/Ollama read less than it was sent/)).toHaveLength(1);
    expect(screen.getByText('Answered without thinking: qwen3:14b cannot think.')).toBeTruthy();
    const other = openPage();
    await other.show([userMessage(1, 'hi'), answer(2, [text('so')], { notes: ['without_tools'] })]);
    expect(screen.getByText('Answered without tools: qwen3:14b cannot use them.')).toBeTruthy();
  });
});
