import { describe, expect, it } from 'vitest';
import type { ToolPart } from '../../protocol/part';
import { toolPart } from '../testing/build';
import { toolWords } from './toolWords';

const read = (more: Partial<ToolPart> = {}): ToolPart =>
  toolPart('read_file', { path: 'src/queue/scheduler.ts' }, more);
const SECOND = { startedAt: 1_000, endedAt: 2_000 };
const result = (summary: string) => ({ result: { content: '', summary } });

describe('The sentence of a tool row', () => {
  it.each<[ToolPart, string]>([
    [read({ state: 'pending' }), 'Read scheduler.ts, not begun'],
    [read({ state: 'running' }), 'Reading scheduler.ts, running'],
    [read(result('88–131')), 'Read scheduler.ts, lines 88 to 131, done'],
    [read(result('204 lines')), 'Read scheduler.ts, 204 lines, done'],
    [read(), 'Read scheduler.ts, done'],
    [read({ state: 'error', ...result('no such file') }), 'Read scheduler.ts failed: no such file'],
    [read({ state: 'error' }), 'Read scheduler.ts failed'],
    [read({ state: 'denied' }), 'Denied: read scheduler.ts'],
    [read({ state: 'expired' }), 'Not run: read scheduler.ts'],
    [read({ state: 'interrupted' }), 'Interrupted: read scheduler.ts'],
    [read({ state: 'awaiting_approval' }), 'Waiting for your approval: read scheduler.ts'],
    [toolPart('list_files', { path: 'src/queue/' }, result('14 entries')), 'Listed queue, 14 entries, done'],
    [toolPart('list_files', {}), 'Listed the folder, done'],
    [
      toolPart('search_text', { query: 'useFakeTimers' }, result('4 matches')),
      'Searched for useFakeTimers, 4 matches, done',
    ],
    [toolPart('search_text', { query: 'x' }, { state: 'running' }), 'Searching for x, running'],
    [
      toolPart('load_skill', { name: 'release-notes' }, result('40 lines')),
      'Loaded skill release-notes, 40 lines, done',
    ],
    [toolPart('load_skill', { name: 'release-notes' }, { state: 'running' }), 'Loading skill release-notes, running'],
    [
      toolPart('load_skill', { name: 'x' }, { state: 'error', ...result('no such skill') }),
      'Loaded skill x failed: no such skill',
    ],
    [toolPart('load_skill', { name: 'x' }, { state: 'expired' }), 'Not run: load skill x'],
    [toolPart('make_coffee', { sugar: 2 }), 'Called make_coffee, done'],
    [
      toolPart('run_command', { command: 'npm test' }, { result: { content: '', exitCode: 0 }, ...SECOND }),
      'Ran npm test, exit code 0, 1 s, done',
    ],
    [
      toolPart('run_command', { command: 'npm run\n  lint' }, { result: { content: '', exitCode: 2 } }),
      'Ran npm run lint, exit code 2, failed',
    ],
    [toolPart('run_command', { command: 'x' }, { state: 'interrupted' }), 'Interrupted: run x'],
    [toolPart('write_file', { path: 'a/b.ts', content: 'x' }, { state: 'running' }), 'Writing b.ts, running'],
    [
      toolPart('edit_file', { path: 'a/b.ts' }, { state: 'error', ...result('not found') }),
      'Edited b.ts failed: not found',
    ],
    [toolPart('find_files', { pattern: '*.ts' }, result('12 files')), 'Looked for *.ts, 12 files, done'],
    [toolPart('diagnostics', {}, result('3 problems')), 'Checked problems, 3 problems, done'],
    [toolPart('diagnostics', { path: 'a/b.ts' }), 'Checked problems of b.ts, done'],
    [toolPart('read_command', { id: 3 }), 'Read command 3, done'],
    [
      toolPart('stop_command', { id: 'c3' }, { result: { content: '', exitCode: 143 } }),
      'Stopped command c3, exit code 143, done',
    ],
    [toolPart('send_input', { id: 3, text: 'y' }), 'Typed y, done'],
    [toolPart('remember', { text: 'Use tabs.' }), 'Remembered Use tabs., done'],
    [toolPart('todo', { items: [{ text: 'a', status: 'done' }, 7] }), 'Updated the to-do list, 1 of 1 done, done'],
    [toolPart('read_file', { path: 7 }), 'Read the folder, done'],
  ])('%#: %j', (part, name) => {
    expect(toolWords(part).name).toBe(name);
  });

  it('names the file before its folder, and keeps the whole path at hand', () => {
    const words = toolWords(read(result('88–131')));
    expect(words.line).toMatchObject({
      icon: 'file',
      verb: 'Read',
      object: 'scheduler.ts',
      place: 'src/queue',
      result: '88–131',
    });
    expect(words.full).toBe('src/queue/scheduler.ts');
  });

  it('keeps what the row does not say', () => {
    expect(toolWords(toolPart('search_text', { query: 'x', glob: '*.ts' })).more).toEqual({ glob: '*.ts' });
    expect(toolWords(toolPart('read_file', { path: 'a', start_line: 1, end_line: 9 })).full).toBe('a · 1–9');
  });
});
