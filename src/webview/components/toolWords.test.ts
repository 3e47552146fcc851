import { describe, expect, it } from 'vitest';
import type { ToolPart } from '../../protocol/part';
import { toolPart } from '../testing/build';
import { toolWords } from './toolWords';

const read = (more: Partial<ToolPart> = {}): ToolPart =>
  toolPart('read_file', { path: 'src/queue/scheduler.ts' }, more);
const result = (summary: string) => ({ result: { content: '', summary } });

describe('The sentence of a tool row', () => {
  it.each<[ToolPart, string]>([
    [read({ state: 'pending' }), 'Reading scheduler.ts, running'],
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
