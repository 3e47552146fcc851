import { describe, expect, it } from 'vitest';
import type { FileVersion } from '../../base/fileVersion';
import type { Action } from '../action';
import { refused, type ReadyCall } from '../tool';
import { digestOf } from './digest';
import { subjectOf } from './subject';
import { commandAction, editAction } from '../../../../test/support/tools/actions';

function call(action: Action, version?: FileVersion): ReadyCall {
  return {
    kind: 'ready',
    action,
    ...(version === undefined ? {} : { version }),
    run: () => Promise.resolve(refused('', '')),
  };
}

function version(after: string, mode = 0o644): FileVersion {
  return { path: '/ws/a', before: undefined, after: { bytes: Buffer.from(after), mode } };
}

describe('a digest', () => {
  it('is the same for calls that would do the same', () => {
    const one: Action = { kind: 'other', tool: 't', arguments: { a: 1, b: { c: 2, d: [3] } } };
    const other: Action = { arguments: { b: { d: [3], c: 2 }, a: 1 }, tool: 't', kind: 'other' };
    expect(digestOf(call(one))).toBe(digestOf(call(other)));
    expect(digestOf(call(editAction('a'), version('x')))).toBe(digestOf(call(editAction('a'), version('x'))));
    expect(digestOf(call(one))).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs with all that makes a difference', () => {
    const calls = [
      call(commandAction('ls')),
      call(commandAction('ls -l')),
      call(commandAction('ls', { cwd: '/ws/src', folder: 'src' })),
      call(commandAction('ls', { timeoutMs: 1 })),
      call(commandAction('ls', { namesIgnored: true })),
      call(commandAction('ls', { guarded: ['outside'] })),
      call(editAction('a')),
      call(editAction('b')),
      call(editAction('a', { exists: false })),
      call(editAction('a'), version('x')),
      call(editAction('a'), version('y')),
      call(editAction('a'), version('y', 0o755)),
      { ...call(editAction('/etc/hosts', { outside: true })), unkept: version('x') },
      { ...call(editAction('/etc/hosts', { outside: true })), unkept: version('y') },
      call({ kind: 'other', tool: 't', arguments: { a: [1, 2] } }),
      call({ kind: 'other', tool: 't', arguments: { a: [2, 1] } }),
    ];
    expect(new Set(calls.map(digestOf)).size).toBe(calls.length);
  });
});

describe('what the person is shown', () => {
  it('is what would be done, and where', () => {
    expect(subjectOf(commandAction('npm test', { folder: 'web' }))).toEqual({
      kind: 'command',
      command: 'npm test',
      folder: 'web',
      shell: 'bash',
      timeoutMs: 60_000,
    });
    const { timeoutMs: _, ...endless } = commandAction('npm start');
    expect(subjectOf(endless)).not.toHaveProperty('timeoutMs');
    const edit = editAction('/etc/hosts', { outside: true });
    expect(subjectOf(edit)).toEqual({ kind: 'edit', change: edit.change, outside: true });
    expect(subjectOf({ kind: 'read', place: edit.place })).toEqual({ kind: 'read', path: '/etc/hosts' });
    expect(subjectOf({ kind: 'input', command: 'node', text: '1', namesIgnored: false, guarded: [] })).toEqual({
      kind: 'input',
      command: 'node',
      text: '1',
    });
    expect(subjectOf({ kind: 'memory', scope: 'everywhere', path: '/m', text: 'x' })).toEqual({
      kind: 'memory',
      scope: 'everywhere',
      text: 'x',
    });
    expect(subjectOf({ kind: 'other', tool: 't', from: 'MCP', arguments: { a: 1 } })).toEqual({
      kind: 'other',
      tool: 't',
      from: 'MCP',
      arguments: { a: 1 },
    });
  });
});
