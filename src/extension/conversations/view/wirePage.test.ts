import { describe, expect, it } from 'vitest';
import type { Message } from '../../../protocol/message';
import type { ApprovalRequest } from '../../../protocol/approval';
import type { FileChange } from '../../../protocol/fileChange';
import type { ToolPart } from '../../../protocol/part';
import { PAGE_CHARS, PART_CHARS } from '../../base/limits';
import { newestThatFit, withoutImageData, withShortParts } from './wirePage';

function calling(seq: number, chars: number): Message {
  const call = { type: 'tool', name: 'write_file', state: 'error', arguments: { content: 'x'.repeat(chars) } } as const;
  return { seq, role: 'assistant', status: 'done', createdAt: 0, parts: [call] };
}

describe('the newest messages that fit into a page', () => {
  it('are measured with what calls were given, too', () => {
    const messages = Array.from({ length: 20 }, (_, index) => calling(index + 1, PAGE_CHARS / 4));
    const page = newestThatFit(messages);
    expect(page.cut).toBe(true);
    expect(page.messages.map(({ seq }) => seq)).toEqual([18, 19, 20]);
  });

  it('are one at least, however long it is', () => {
    const page = newestThatFit([calling(1, 10), calling(2, PAGE_CHARS * 2)]);
    expect(page.messages.map(({ seq }) => seq)).toEqual([2]);
  });
});

describe('a call on its way to a view', () => {
  const change = (lines: number): FileChange => ({
    path: 'a.ts',
    kind: 'changed',
    added: lines,
    removed: 0,
    hunks: Array.from({ length: 4 }, (_, index) => ({
      oldStart: index,
      newStart: index,
      lines: Array.from({ length: lines }, () => '+1234567'),
    })),
    hunksLeftOut: 1,
  });
  const request: ApprovalRequest = {
    id: 'r',
    askedAt: 0,
    subject: { kind: 'edit', change: change(PART_CHARS / 16), outside: false },
    reasons: ['mode'],
    grants: [],
    digest: 'd',
  };
  const call = (special: Partial<ToolPart>): Message => ({
    ...calling(1, 1),
    parts: [{ type: 'tool', name: 'edit_file', arguments: {}, state: 'done', ...special }],
  });

  it('has no data of the image that it read', () => {
    const result = { content: 'An image.', image: { mediaType: 'image/png', bytes: 3, data: 'AAAA' } };
    const message = call({ result });
    const without = [{ result: { content: 'An image.', image: { mediaType: 'image/png', bytes: 3 } } }];
    expect(withShortParts(message).parts).toMatchObject(without);
    expect(JSON.stringify(withShortParts(message))).not.toContain('AAAA');
    const [part] = message.parts;
    if (part === undefined) throw new Error('no part');
    for (const event of [
      { type: 'message_added', message } as const,
      { type: 'part_set', seq: 1, idx: 0, part } as const,
    ])
      expect(JSON.stringify(withoutImageData(event))).not.toContain('AAAA');
  });

  it('shows the changed places that there is room for, and counts the others', () => {
    const { parts } = withShortParts(call({ change: change(PART_CHARS / 16), approval: request }));
    const short = { hunks: [{ oldStart: 0 }, { oldStart: 1 }], hunksLeftOut: 3 };
    expect(parts).toMatchObject([{ change: short, approval: { id: 'r', subject: { kind: 'edit', change: short } } }]);
  });

  it('shows all of a command that is asked about, however long', () => {
    const command = 'x'.repeat(PART_CHARS * 2);
    const subject = { kind: 'command', command, folder: '.', shell: 'sh' } as const;
    const { parts } = withShortParts(call({ approval: { ...request, subject } }));
    expect(parts).toMatchObject([{ approval: { subject } }]);
  });
});
