// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Part, ToolPart } from '../../protocol/part';
import { change, waitingCall } from '../testing/approval';
import { answer, AT_14_02, CONVERSATION, status, STREAM, userMessage } from '../testing/build';
import { toolPart } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const click = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }));
  await painted();
};
const edit = (more: Partial<ToolPart> = {}): ToolPart =>
  toolPart('edit_file', { path: 'src/queue/scheduler.ts', old: 'x', new: 'y' }, { change: change(), ...more });
const call = { conversationId: CONVERSATION, seq: 2, idx: 0 };

let test: TestPage;
beforeEach(() => {
  test = openPage();
});
const show = (...parts: readonly Part[]): Promise<void> => test.show([userMessage(1, 'hi'), answer(2, parts)]);

describe('The row of an edit', () => {
  it('counts its lines and opens to them, with their numbers and signs', async () => {
    await show(edit());
    await click('Edited scheduler.ts, 4 lines added, 1 removed, done');
    expect(screen.getByText('+4')).toBeTruthy();
    const lines = [
      ...screen.getByRole('group', { name: 'Changes to scheduler.ts' }).querySelectorAll<HTMLElement>('.ln'),
    ];
    expect(
      lines.slice(1, 6).map((line) => [line.dataset['n'], line.dataset['s'], line.textContent?.trimEnd()]),
    ).toEqual([
      ['100', ' ', 'b'],
      ['', '−', 'old'],
      ['101', '+', 'new'],
      ['102', '+', 'more'],
      ['103', ' ', 'c'],
    ]);
    expect(screen.queryByRole('group', { name: /^Arguments/ })).toBeNull();
  });

  it('leads to its file and to all of its differences, and can be taken back', async () => {
    await show(edit({ change: change({ hunksLeftOut: 3 }) }));
    await click(/^Edited scheduler/);
    expect(screen.getByText('3 more changes are not shown here')).toBeTruthy();
    await click('Open diff');
    await click('Open file');
    await click('Undo this edit');
    expect(test.host.askedFor('openDiff')).toEqual([call]);
    expect(test.host.askedFor('openFile')).toEqual([call]);
    expect(test.host.askedFor('undo')).toEqual([{ ...call, how: 'undo' }]);
    expect(screen.getByText('File changes undone')).toBeTruthy();
  });

  it('opens its file by Ctrl+Enter, and does not unfold', async () => {
    await show(edit(), toolPart('read_file', { path: 'a.ts' }), toolPart('run_command', { command: 'npm test' }));
    const press = (name: RegExp): boolean =>
      fireEvent.keyDown(screen.getByRole('button', { name }), { key: 'Enter', ctrlKey: true });
    expect([press(/^Edited scheduler/), press(/^Read a\.ts/), press(/^Ran npm test/)]).toEqual([false, false, true]);
    expect(test.host.askedFor('openFile')).toEqual([call, { ...call, idx: 1 }]);
    expect(screen.queryByRole('button', { name: 'Open file' })).toBeNull();
  });

  it('that was taken back says so, and can be made again', async () => {
    await show(edit({ change: change({ undone: true }) }));
    await click('Edited scheduler.ts, undone');
    await click('Redo this edit');
    expect(test.host.askedFor('undo')).toEqual([{ ...call, how: 'redo' }]);
  });

  it('that nobody saw end can be taken back, too', async () => {
    await show(edit({ state: 'interrupted' }));
    expect(screen.getByRole('button', { name: 'Undo this turn’s file changes' })).toBeTruthy();
    await click(/^Interrupted: edit/);
    await click('Undo this edit');
    expect(test.host.askedFor('undo')).toEqual([{ ...call, how: 'undo' }]);
    const part = edit({ state: 'interrupted', change: change({ undone: true }) });
    await test.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'part_set', seq: 2, idx: 0, part }] });
    expect(screen.getByRole('button', { name: 'Edited scheduler.ts, undone' })).toBeTruthy();
  });

  it('outside the folder cannot be taken back, nor while an answer is being written', async () => {
    await show(edit({ change: change({ path: '/etc/hosts' }) }), edit());
    await click(/^Edited hosts/);
    expect(screen.queryByRole('button', { name: 'Undo this edit' })).toBeNull();
    await click(/^Edited scheduler/);
    const run = { kind: 'writing', startedAt: AT_14_02 } as const;
    await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 2, run }) });
    const undo = screen.getByRole<HTMLButtonElement>('button', { name: 'Undo this edit' });
    expect(undo.disabled).toBe(false);
    expect(undo.getAttribute('aria-disabled')).toBe('true');
    await click('Undo this edit');
    expect(test.host.askedFor('undo')).toEqual([]);
  });

  it('that was denied shows what it would have done, and what the person said', async () => {
    const words = 'Use the version that is there.';
    const subject = { kind: 'edit', change: change(), outside: false } as const;
    await show({
      ...waitingCall('r1', { subject }),
      name: 'edit_file',
      state: 'denied',
      answer: { kind: 'deny', words },
    });
    await click('Denied: edit scheduler.ts');
    expect(screen.getByText(/You said:/).parentElement?.textContent).toBe(`You said: ${words}`);
    expect(screen.getByRole('group', { name: 'Changes to scheduler.ts' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Undo this edit' })).toBeNull();
  });
});

describe('The foot of an answer', () => {
  it('takes back what the turn changed, and makes it again', async () => {
    await show(edit(), edit({ change: change({ undone: true }) }));
    await click('Undo this turn’s file changes');
    expect(test.host.askedFor('undo')).toEqual([{ conversationId: CONVERSATION, seq: 2, how: 'undo' }]);
    const part = edit({ change: change({ undone: true }) });
    await test.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'part_set', seq: 2, idx: 0, part }] });
    await click('Redo this turn’s file changes');
    expect(test.host.askedFor('undo')).toHaveLength(2);
  });

  it('leaves the focus at its answer while files are being put back', async () => {
    await show(edit());
    screen.getByRole('button', { name: 'Undo this turn’s file changes' }).focus();
    const run = { kind: 'tools', startedAt: AT_14_02 } as const;
    await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 2, run }) });
    expect(screen.queryByRole('button', { name: /file changes/ })).toBeNull();
    expect(document.activeElement).toBe(screen.getAllByRole('article').at(-1));
  });

  it('offers nothing where nothing was changed, or only outside the folder', async () => {
    await show(edit({ change: change({ path: 'C:\\hosts' }) }), edit({ state: 'error' }));
    expect(screen.queryByRole('button', { name: /file changes/ })).toBeNull();
  });
});

describe('The row of a command', () => {
  const output = Array.from({ length: 254 }, (_, n) => `line ${n}`).join('\n');

  it('that failed says its exit, and opens to the beginning and the end of its output', async () => {
    const result = { content: output, summary: '', exitCode: 1 };
    await show(toolPart('run_command', { command: 'npm run lint' }, { result, startedAt: 1, endedAt: 3_201 }));
    await click('Ran npm run lint, exit code 1, 3.2 s, failed');
    const shown = screen.getByRole('group', { name: 'Output of npm run lint' }).textContent ?? '';
    expect(shown).toMatch(/^line 0\n[^]*\nline 253$/);
    expect(shown.split('\n')).toHaveLength(41);
    expect(screen.getByText('214 lines left out in the middle')).toBeTruthy();
    await click('Open output');
    expect(test.host.askedFor('openOutput')).toEqual([call]);
    await click('Show all');
    expect(screen.getByRole('group', { name: 'Output of npm run lint' }).textContent).toBe(output);
  });

  it('that was denied shows all of it, and no output', async () => {
    const command = `npm test -- ${'--run src/queue/scheduler.test.ts '.repeat(3)}`.trim();
    const told = { content: 'The user denied this call.', summary: 'denied' };
    await show(toolPart('run_command', { command }, { state: 'denied', result: told }));
    await click(/^Denied: run npm test/);
    const whole = screen.getByText(`$ ${command}`);
    expect(whole.closest('.code-bar.wraps')).not.toBeNull();
    expect(screen.queryByRole('button', { name: /output/ })).toBeNull();
  });

  it('longer than a bar may be high stands below it', async () => {
    const command = `echo ${'word '.repeat(100)}`;
    await show(toolPart('run_command', { command }));
    await click(/^Ran echo/);
    expect(screen.getByRole('group', { name: 'Command' }).textContent).toContain(command.trim());
  });

  it('that runs shows the end of what it has printed', async () => {
    const run = { kind: 'tools', startedAt: AT_14_02 } as const;
    const part = toolPart('run_command', { command: 'npm test' }, { state: 'running' });
    await test.show([userMessage(1, 'hi'), answer(2, [part], { status: 'streaming' })], { status: status({ run }) });
    await click('Running npm test, running');
    const printed = { type: 'tool_output', seq: 2, idx: 0, output: { text: 'ok 1\nok 2', bytes: 84_000 } } as const;
    await test.emit({ kind: 'batch', stream: STREAM, from: 1, events: [printed] });
    expect(screen.getByRole('group', { name: 'Output of npm test' }).textContent).toBe('ok 1\nok 2');
    expect(screen.getByText('84 kB printed so far')).toBeTruthy();
  });

  it('that was stopped keeps what it had printed', async () => {
    const output = { text: 'ok 1\nok 2', bytes: 84_000 };
    await show(toolPart('run_command', { command: 'npm test' }, { state: 'interrupted', output }));
    await click(/^Run npm test, interrupted|^Interrupted/);
    expect(screen.getByRole('group', { name: 'Output of npm test' }).textContent).toBe('ok 1\nok 2');
    expect(screen.getByText('84 kB printed before it ended')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy output' })).toBeTruthy();
  });
});

describe('A to-do list', () => {
  it('is unfolded where it is the newest of its answer, and stays closed when the reader closes it', async () => {
    const list = (done: string): ToolPart =>
      toolPart('todo', { items: [{ text: 'Read', status: done }, { text: 'Fix', status: 'in_progress' }, 'Test'] });
    await show(list('pending'), list('completed'));
    const shown = screen.getByRole('list', { name: 'To-do list' });
    expect([...shown.children].map((step) => step.textContent)).toEqual([
      'Done: Read',
      'In progress: Fix',
      'To do: Test',
    ]);
    expect(screen.getByRole('button', { name: 'Updated the to-do list, 0 of 3 done, done' })).toBeTruthy();
    await click('Updated the to-do list, 1 of 3 done, done');
    expect(screen.queryByRole('list', { name: 'To-do list' })).toBeNull();
  });
});

describe('Calls that only read', () => {
  it('become one row, but for those that the person gave leave to', async () => {
    const read = (path: string): ToolPart => toolPart('read_file', { path });
    const allowed = {
      ...waitingCall('r1'),
      name: 'read_file',
      arguments: { path: '/etc/hosts' },
      state: 'done',
    } as const;
    const found = toolPart('find_files', { pattern: '*.ts' });
    await show(read('a.ts'), read('b.ts'), found, toolPart('diagnostics', {}), allowed);
    expect(screen.getByRole('button', { name: 'Explored 2 files, 1 search, 1 problem check, done' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Read hosts, done' })).toBeTruthy();
  });

  it('show of an image that it is one', async () => {
    const image = { mediaType: 'image/png', bytes: 84_000 };
    await show(toolPart('read_file', { path: 'a.png' }, { result: { content: 'x', summary: 'image', image } }));
    await click('Read a.png, image, done');
    expect(screen.getByText('PNG image, 84 kB. The model sees it.')).toBeTruthy();
  });
});
