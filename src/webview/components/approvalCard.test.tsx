// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalSubject, AskReason } from '../../protocol/approval';
import type { Part, ToolPart } from '../../protocol/part';
import type { ConversationStatus } from '../../protocol/status';
import type { Reply } from '../../protocol/wire';
import { ANSWER, ANY_ARGUMENTS, change, EXACT, waitingCall } from '../testing/approval';
import { answer, AT_14_02, CONVERSATION, status, STREAM, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const RUNNING = { kind: 'awaiting_approval', startedAt: AT_14_02 } as const;
const click = async (name: string): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }));
  await painted();
};
const press = async (target: Element, key: string, more: KeyboardEventInit = {}): Promise<void> => {
  fireEvent.keyDown(target, { key, ...more });
  await painted();
};
const names = (scope: HTMLElement): (string | null)[] =>
  within(scope)
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent);
const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' });

let test: TestPage;
beforeEach(() => {
  test = openPage();
});
const show = (parts: readonly Part[], more: Partial<ConversationStatus> = {}): Promise<void> =>
  test.show([userMessage(1, 'hi'), answer(2, parts, { status: 'streaming' })], {
    status: status({ run: RUNNING, owner: 'here', ...more }),
  });
const set = (part: ToolPart): Promise<void> =>
  test.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'part_set', seq: 2, idx: 0, part }] });
const card = (name = 'Approval: run npm test'): HTMLElement => screen.getByRole('group', { name });
const answers = (): readonly unknown[] => test.host.askedFor('answer');
const sent = (given: object, request = 'r1'): unknown => ({ conversationId: CONVERSATION, request, answer: given });

describe('The approval card', () => {
  it('shows a command whole, with where and for how long it runs, and its answers by name', async () => {
    await show([waitingCall('r1')]);
    expect(card().textContent).toContain('Run this command?');
    expect(card().textContent).toContain('In harbor-queue · stops after 10 min');
    expect(card().textContent).not.toContain('bash');
    expect(screen.getByRole('group', { name: 'Command' }).textContent).toBe('$ npm test');
    expect(names(card())).toEqual([
      'Allow once',
      'Allow in this workspace',
      'More ways to allow',
      'Deny',
      'Deny and say why…',
    ]);
  });

  it('shows the first places of an edit, and opens all of it in the editor', async () => {
    const long = { oldStart: 1, newStart: 1, lines: Array.from({ length: 9 }, (_, n) => `+line ${n}`) };
    const edit = change({ hunks: [long, ...change().hunks], hunksLeftOut: 2 });
    await show([waitingCall('r1', { subject: { kind: 'edit', change: edit, outside: false } })]);
    const asked = card('Approval: edit scheduler.ts');
    expect(asked.textContent).toContain('Edit scheduler.ts?src/queue · +4 −1');
    expect(within(asked).getByRole('group', { name: 'Changes to scheduler.ts' }).textContent).toContain('line 8');
    expect(asked.textContent).toContain('1 of 5 changes');
    await click('Open full diff');
    expect(test.host.askedFor('openDiff')).toEqual([{ conversationId: CONVERSATION, seq: 2, idx: 0 }]);
    expect(answers()).toEqual([]);
  });

  it('warns of what lies outside the folder: no more than once can be allowed, and to deny stands out', async () => {
    const outside = change({ path: '/home/ana/.npmrc', kind: 'created' });
    const subject = { kind: 'edit', change: outside, outside: true } as const;
    await show([waitingCall('r1', { subject, reasons: ['outside'], grants: [] })]);
    const asked = card('Approval: write .npmrc, outside the workspace folder');
    expect(asked.className).toContain('danger');
    expect(asked.textContent).toContain('Write a file outside this folder?/home/ana/.npmrc');
    expect(asked.textContent).toContain(
      'The workspace folder is harbor-queue. Holdfast cannot undo changes outside it.',
    );
    expect(names(asked)).toEqual(['Allow once', 'Deny', 'Deny and say why…']);
    expect(screen.getByRole('button', { name: 'Deny' }).className).toBe('btn');
    expect(screen.getByRole('button', { name: 'Allow once' }).className).toBe('btn second');
    await press(asked, 'Enter', { ctrlKey: true });
    expect(answers()).toEqual([]);
    await press(asked, 'Backspace', { ctrlKey: true });
    expect(answers()).toEqual([sent({ kind: 'deny' })]);
  });

  it.each<[AskReason, string]>([
    ['settings', 'Settings of the editor can start programs.'],
    ['hooks', 'Hooks and configuration of Git can start programs.'],
    ['own_data', 'Holdfast keeps its own data there, or rules that it goes by.'],
    ['profile', 'A shell runs this file whenever it starts.'],
    ['ignored', 'It names a file that .holdfastignore hides.'],
    ['unsaved', 'This cannot be recorded now'],
  ])('says why it asks whatever the mode is: %s', async (reason, words) => {
    await show([waitingCall('r1', { reasons: ['mode', reason] })]);
    expect(card().textContent).toContain(words);
  });

  it.each<[ApprovalSubject, string, string, string]>([
    [
      { kind: 'memory', scope: 'folder', text: 'Use tabs.\nAlways.' },
      'Approval: remember Use tabs. Always.',
      'Remember this?For harbor-queue',
      'Use tabs.\nAlways.',
    ],
    [
      { kind: 'other', tool: 'open_issue', from: 'GitHub', arguments: { title: 'Bug' } },
      'Approval: use open_issue',
      'Use open_issue?From GitHub',
      'title: Bug',
    ],
    [
      { kind: 'command', command: 'dir', folder: '.', shell: 'powershell', timeoutMs: 60_000 },
      'Approval: run dir',
      'In harbor-queue · stops after 1 min · powershell',
      '$ dir',
    ],
    [
      { kind: 'input', command: 'npm run dev', text: 'yes' },
      'Approval: type into npm run dev',
      'Type into a command?npm run dev',
      'yes',
    ],
    [
      { kind: 'read', path: '/etc/hosts' },
      'Approval: read hosts, outside the workspace folder',
      'Read a file outside this folder?/etc/hosts',
      '',
    ],
  ])('shows all of what is asked for: %j', async (subject, name, head, content) => {
    await show([waitingCall('r1', { subject, grants: [] })]);
    expect(card(name).textContent).toContain(head);
    expect(card(name).textContent).toContain(content);
  });

  it('writes out signs that are not seen, so that nothing hides in what is allowed', async () => {
    const command = 'echo \u202egnp\u202c safe\u200b && rm';
    await show([waitingCall('r1', { subject: { kind: 'command', command, folder: '.', shell: 'sh' } })]);
    expect(screen.getByRole('group', { name: 'Command' }).textContent).toBe(
      '$ echo \\u{202e}gnp\\u{202c} safe\\u{200b} && rm',
    );
  });

  it('answers once, keeps the focus while the answer travels, and becomes the row of its call', async () => {
    let reply: (reply: Reply) => void = () => undefined;
    test.host.reply = ({ method }) =>
      method === 'answer' ? new Promise((resolve) => (reply = resolve)) : { ok: true };
    await show([waitingCall('r1')]);
    screen.getByRole('button', { name: 'Allow once' }).focus();
    await click('Allow once');
    const busy = screen.getByRole('button', { name: 'Allowing…' });
    expect(document.activeElement).toBe(busy);
    expect(
      within(card())
        .getAllByRole('button')
        .every((one) => one.getAttribute('aria-disabled') === 'true'),
    ).toBe(true);
    await click('Deny');
    expect(answers()).toEqual([sent({ kind: 'allow' })]);
    reply({ ok: true });
    await set({
      ...waitingCall('r1'),
      state: 'running',
      arguments: { command: 'npm test' },
      answer: { kind: 'allow' },
    });
    expect(screen.queryByRole('group', { name: /^Approval/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'Running npm test, running' })).toBeTruthy();
    expect(document.activeElement).toBe(box());
  });

  it('says why an answer was not taken, and can be answered again', async () => {
    test.host.reply = ({ method }) =>
      method === 'answer' ? { ok: false, message: 'It was answered in another view.' } : { ok: true };
    await show([waitingCall('r1')]);
    await click('Deny');
    expect(screen.getByRole('alert', { name: 'Error' }).textContent).toContain(
      'Not answered. It was answered in another view.',
    );
    expect(screen.getByRole('button', { name: 'Deny' }).getAttribute('aria-disabled')).toBe('false');
  });

  it('is not answered by the second press of a double click, or by a key that is held down', async () => {
    await show([waitingCall('r1')]);
    fireEvent.click(screen.getByRole('button', { name: 'Allow once' }), { detail: 2 });
    await press(card(), 'Enter', { ctrlKey: true, repeat: true });
    await press(card(), 'Enter');
    expect(answers()).toEqual([]);
  });

  it('takes Ctrl+Enter as yes also where the focus is on Deny, and leaves Esc without an answer', async () => {
    await show([waitingCall('r1')]);
    await press(card(), 'Escape');
    expect(document.activeElement).toBe(box());
    expect(answers()).toEqual([]);
    await press(screen.getByRole('button', { name: 'Deny' }), 'Enter', { metaKey: true });
    expect(answers()).toEqual([sent({ kind: 'allow' })]);
  });

  it('denies with words, or without any, and gives the words up on Back', async () => {
    await show([waitingCall('r1')]);
    await click('Deny and say why…');
    const reason = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Reason for denying' });
    expect(document.activeElement).toBe(reason);
    expect(screen.queryByRole('group', { name: 'Command' })).toBeNull();
    fireEvent.input(reason, { target: { value: ' Use pnpm. ' } });
    await press(reason, 'Backspace', { ctrlKey: true });
    expect(answers()).toEqual([]);
    await click('Back');
    expect(screen.getByRole('group', { name: 'Command' })).toBeTruthy();
    await click('Deny and say why…');
    await press(screen.getByRole('textbox', { name: 'Reason for denying' }), 'Enter', { ctrlKey: true });
    expect(answers()).toEqual([sent({ kind: 'deny', words: 'Use pnpm.' })]);
  });

  it('denies plainly where the reason is empty', async () => {
    await show([waitingCall('r1')]);
    await click('Deny and say why…');
    await click('Deny with this reason');
    expect(answers()).toEqual([sent({ kind: 'deny' })]);
  });

  it('grants the narrowest rule at once, and the others from its menu by keys', async () => {
    await show([waitingCall('r1', { grants: [EXACT, ANY_ARGUMENTS, ANSWER] })]);
    await click('More ways to allow');
    const menu = screen.getByRole('menu', { name: 'Allow in this workspace' });
    expect(
      within(menu)
        .getAllByRole('menuitem')
        .map((item) => item.textContent),
    ).toEqual([
      'This exact command',
      'npm test with any further arguments',
      'Until this answer is done',
      'Open permission settings',
    ]);
    await press(document.activeElement ?? menu, 'ArrowDown');
    await press(document.activeElement ?? menu, 'Enter', { ctrlKey: true });
    expect(answers()).toEqual([]);
    await press(document.activeElement ?? menu, 'Enter');
    expect(answers()).toEqual([sent({ kind: 'grant', grant: 1 })]);
  });

  it('closes the menu with Esc, back to its button, and leads to the settings', async () => {
    await show([waitingCall('r1')]);
    await click('More ways to allow');
    await press(document.activeElement ?? card(), 'Escape');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More ways to allow' }));
    await click('More ways to allow');
    fireEvent.click(screen.getByRole('menuitem', { name: 'Open permission settings' }));
    expect(test.host.askedFor('runCommand')).toEqual([{ command: 'openPermissions' }]);
    await painted();
    await click('Allow in this workspace');
    expect(answers()).toEqual([sent({ kind: 'grant', grant: 0 })]);
  });

  it('offers only this answer where no rule can be given', async () => {
    await show([waitingCall('r1', { grants: [ANSWER] })]);
    expect(screen.queryByRole('button', { name: 'More ways to allow' })).toBeNull();
    await click('Allow until this answer is done');
    expect(answers()).toEqual([sent({ kind: 'grant', grant: 0 })]);
  });

  it('takes no answer in a window that only follows', async () => {
    await show([waitingCall('r1')], { owner: 'elsewhere' });
    expect(within(card()).queryAllByRole('button')).toEqual([]);
    expect(card().textContent).toContain('Answer it in the window that runs it, or continue here.');
    await press(card(), 'Enter', { ctrlKey: true });
    expect(answers()).toEqual([]);
  });

  it('can be answered while its run is suspended, and the answer says that it waits', async () => {
    await show([waitingCall('r1')], { owner: 'none', run: { kind: 'idle' } });
    expect(screen.getByText('Waits for you')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    await click('Allow once');
    expect(answers()).toEqual([sent({ kind: 'allow' })]);
  });

  it('that nobody answered in time says so in one sentence, and has no buttons', async () => {
    await show([waitingCall('r1', {}, { state: 'expired', endedAt: AT_14_02 + 420_000 })]);
    const gone = screen.getByRole('group', { name: 'Approval expired: run npm test' });
    expect(gone.textContent).toMatch(
      /^Not run: npm testAsked at .*02.*\. The run that asked was stopped at .*09.*, so nothing was done\.$/,
    );
    expect(within(gone).queryAllByRole('button')).toEqual([]);
  });
});
