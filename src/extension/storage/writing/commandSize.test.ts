import { describe, expect, it } from 'vitest';
import type { Part } from '../../../protocol/part';
import type { Change } from '../change';
import { sizeOf } from './commandSize';

const LONG = 'x'.repeat(500_000);

const parts: readonly (readonly [string, Part])[] = [
  ['words', { type: 'text', text: LONG }],
  ['an image', { type: 'attachment', kind: 'image', name: 'a', mediaType: 'image/png', bytes: 1, data: LONG }],
  ['a result', { type: 'tool', name: 't', state: 'done', arguments: {}, result: { content: LONG } }],
  ['a call', { type: 'tool', name: 't', state: 'pending', arguments: { content: LONG } }],
  [
    'an image that a call read',
    {
      type: 'tool',
      name: 't',
      state: 'done',
      arguments: {},
      result: { content: 'An image.', image: { mediaType: 'image/png', bytes: 1, data: LONG } },
    },
  ],
  [
    'a request for leave',
    {
      type: 'tool',
      name: 't',
      state: 'awaiting_approval',
      arguments: {},
      approval: {
        id: 'r',
        askedAt: 1,
        subject: { kind: 'input', command: 'cat', text: LONG },
        reasons: ['mode'],
        grants: [],
        digest: 'd',
      },
    },
  ],
  [
    'a command that prints',
    { type: 'tool', name: 't', state: 'running', arguments: {}, output: { text: LONG, bytes: 1 } },
  ],
  ['a summary', { type: 'notice', kind: 'compaction', text: LONG, covers: 1 }],
];

describe('the size of a change', () => {
  it.each(parts)('is that of %s which it sets or adds', (_, part) => {
    const set: Change = { type: 'part_set', seq: 1, idx: 0, part };
    const message = { seq: 1, role: 'user', status: 'done', createdAt: 0, parts: [part, part] } as const;
    expect(sizeOf({ change: set })).toBeGreaterThanOrEqual(LONG.length);
    expect(sizeOf({ change: { type: 'message_added', message } })).toBeGreaterThanOrEqual(2 * LONG.length);
  });

  it('is that of a file before and after', () => {
    const state = { bytes: new Uint8Array(LONG.length), mode: 0 };
    const version = { path: 'a', before: state, after: state };
    const change: Change = { type: 'file_version_set', seq: 1, idx: 0, version, state: 'applied' };
    expect(sizeOf({ change })).toBeGreaterThanOrEqual(2 * LONG.length);
  });

  it('is small where nothing is said', () => {
    expect(sizeOf({ change: { type: 'run_ended' } })).toBeLessThan(2_000);
  });
});
