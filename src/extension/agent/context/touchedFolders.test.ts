import { describe, expect, it } from 'vitest';
import type { Message } from '../../../protocol/message';
import type { JsonObject, ToolState } from '../../../protocol/part';
import { touchedFolders } from './touchedFolders';

const ROOT = '/w/project';

function call(args: JsonObject, state: ToolState = 'done', name = 'read_file'): Message {
  const part = { type: 'tool', name, arguments: args, state } as const;
  return { seq: 1, role: 'assistant', status: 'done', createdAt: 0, parts: [part] };
}

function touched(...messages: readonly Message[]): readonly string[] {
  return touchedFolders(messages, [ROOT, '/real/project']);
}

describe('The folders that a conversation touched', () => {
  it('are those on the way to what its calls worked at, the last touched first', () => {
    expect(touched(call({ path: 'a/b/c.ts' }), call({ path: 'd' }, 'done', 'list_files'))).toEqual([
      'd',
      'a',
      'a/b',
      'a/b/c.ts',
    ]);
  });

  it.each([
    ['with its absolute path', { path: '/w/project/a/b' }],
    ['by the real path of the root', { path: '/real/project/a/b' }],
    ['with detours', { path: './a/x/../b/' }],
    ['inside a wrapper', { arguments: { path: 'a/b' } }],
    ['inside a wrapper that is text', { arguments: '{"path":"a/b"}' }],
  ])('are found when the model names one %s', (_, args) => {
    expect(touched(call(args))).toEqual(['a', 'a/b']);
  });

  it.each([
    ['the root itself', { path: '.' }],
    ['what is outside', { path: '../other/a' }],
    ['what is outside, by an absolute path', { path: '/etc/passwd' }],
    ['a path with a NUL', { path: 'a\0b/c' }],
    ['no path', {}],
  ])('are none for %s', (_, args) => {
    expect(touched(call(args))).toEqual([]);
  });

  it('are none for a call that failed or did not run', () => {
    for (const state of ['error', 'denied', 'expired', 'interrupted', 'running'] as const) {
      expect(touched(call({ path: 'a/b' }, state))).toEqual([]);
    }
  });

  it('are a hundred at most, the last touched ones', () => {
    const many = Array.from({ length: 150 }, (_, index) => call({ path: `f${index}` }));
    expect(touched(...many)).toHaveLength(100);
    expect(touched(...many)[0]).toBe('f149');
  });
});
