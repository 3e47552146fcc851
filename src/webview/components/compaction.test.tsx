// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/preact';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../protocol/message';
import type { NoticePart } from '../../protocol/part';
import { answer, AT_14_02, status, STREAM, text, toolPart, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const SUMMARY: NoticePart = { type: 'notice', kind: 'compaction', text: '**Asked:** fix the test', covers: 2 };
const compacted = (seq: number, part: NoticePart = SUMMARY): Message => ({
  seq,
  role: 'user',
  origin: 'host',
  status: 'done',
  createdAt: AT_14_02,
  parts: [part],
});
const note = (): HTMLElement => screen.getByRole('note', { name: 'Compacted' });
const click = async (name: string): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }));
  await painted();
};

describe('A compaction', () => {
  let test: TestPage;
  beforeEach(() => {
    test = openPage();
  });

  it('is a line between the messages, and no message of the person', async () => {
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')]), compacted(3), userMessage(4, 'and now?')]);
    expect(note().textContent).toContain('Older messages are summarised for the model; nothing was deleted.');
    expect(screen.getAllByRole('article', { name: /^You/ })).toHaveLength(2);
    expect(screen.queryByText(/fix the test/)).toBeNull();
  });

  it('is not what Up recalls', async () => {
    await test.show([userMessage(1, 'my words'), answer(2, [text('ho')]), compacted(3)]);
    const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
    fireEvent.keyDown(box, { key: 'ArrowUp' });
    await painted();
    expect(box.value).toBe('my words');
  });

  it('leaves Retry to the answer before it', async () => {
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')]), compacted(3)]);
    expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(1);
  });

  it('opens to its summary as Markdown, and stays open', async () => {
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')]), compacted(3)]);
    await click('Show summary');
    expect(within(note()).getByText('Asked:').tagName).toBe('STRONG');
    await click('Hide summary');
    expect(screen.queryByText('Asked:')).toBeNull();
  });

  it('fetches what was left out of its summary when it is opened', async () => {
    const part = { ...SUMMARY, omitted: 900 };
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')]), compacted(3, part)]);
    expect(test.host.askedFor('fetchPart')).toEqual([]);
    await click('Show summary');
    expect(note().textContent).toContain('900 characters not loaded');
    expect(test.host.askedFor('fetchPart')).toEqual([{ stream: STREAM, seq: 3, idx: 0 }]);
    const whole = { ...SUMMARY, text: 'All of it' };
    await test.emit({ kind: 'part', stream: STREAM, asOf: 0, seq: 3, idx: 0, part: whole });
    expect(within(note()).getByText('All of it')).toBeTruthy();
    expect(note().textContent).not.toContain('not loaded');
  });

  it('in the middle of an answer makes it two rows with one foot, which copies all of it', async () => {
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await test.show([
      userMessage(1, 'hi'),
      answer(2, [text('Before.'), toolPart('read_file', { path: 'a.ts' })]),
      compacted(3),
      answer(4, [text('After.')]),
    ]);
    expect(screen.getAllByRole('article', { name: /^qwen3/ })).toHaveLength(2);
    expect(screen.getAllByRole('contentinfo', { hidden: true })).toHaveLength(1);
    expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(1);
    await click('Copy answer');
    expect(written).toHaveBeenCalledWith('Before.\n\nAfter.');
    written.mockRestore();
  });

  it('while an answer is made stands between what is there and the run line, and is spoken of', async () => {
    const run = { kind: 'compacting', startedAt: Date.now() } as const;
    await test.show([userMessage(1, 'hi'), answer(2, [toolPart('read_file', { path: 'a.ts' })])], {
      status: status({ run }),
    });
    expect(screen.getByText('Summarising older messages')).toBeTruthy();
    const message = compacted(3);
    await test.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'message_added', message }] });
    expect(screen.queryByRole('contentinfo', { hidden: true })).toBeNull();
    const rows = [...document.querySelectorAll('.row')].map((row) => row.className);
    expect(rows).toEqual(['row user-row', 'row answer-row', 'row notice-row', 'row run-row']);
    expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain(
      'Older messages are summarised for the model; nothing was deleted.',
    );
  });

  it('is reached by the arrow keys like any row', async () => {
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')]), compacted(3)]);
    const log = screen.getByRole('log');
    log.focus();
    fireEvent.keyDown(log, { key: 'ArrowUp' });
    await painted();
    expect(document.activeElement).toBe(note());
  });
});
