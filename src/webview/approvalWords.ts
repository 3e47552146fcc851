import type { ApprovalRequest, ApprovalSubject, AskReason, Mode } from '../protocol/approval';
import { formatNumber, formatTime, formatWholeSeconds } from './format';

/** Words about what the person is asked for, and about what was done to files. */
export const approvalWords = {
  notAnswered: 'Not answered.',
  modeNotChanged: 'The mode was not changed.',
  needed: (what: string) => `Approval needed: ${what}`,
  name: (what: string) => `Approval: ${what}`,
  expiredName: (what: string) => `Approval expired: ${what}`,
  show: 'Show approval',

  // The question
  where: (folder: string) => `In ${folder}`,
  stopsAfter: (ms: number) => `stops after ${formatWholeSeconds(ms)}`,
  background: 'runs until it ends or is stopped',
  lines: (count: number) => `${formatNumber(count)} lines`,
  newFile: 'new file',
  forFolder: (folder: string) => `For ${folder}`,
  everywhere: 'For every folder',
  from: (whose: string) => `From ${whose}`,
  elsewhere: 'Answer it in the window that runs it, or continue here.',

  // What is asked for
  command: 'Command',
  input: 'Input',
  memory: 'Text',
  changesTo: (file: string) => `Changes to ${file}`,
  someChanges: (shown: number, all: number) => `${formatNumber(shown)} of ${formatNumber(all)} changes`,
  someLines: (shown: number, all: number) => `${formatNumber(shown)} of ${formatNumber(all)} lines`,
  moreChanges: (count: number) =>
    count === 1 ? '1 more change is not shown here' : `${formatNumber(count)} more changes are not shown here`,
  openFullDiff: 'Open full diff',
  showAllChanges: 'Show all',
  showLessChanges: 'Show less',
  noLines: 'No lines',

  // Answers
  allow: 'Allow once',
  allowing: 'Allowing…',
  grant: 'Allow in this workspace',
  grantNarrow: 'Allow in workspace',
  grantAnswer: 'Allow until this answer is done',
  moreWays: 'More ways to allow',
  deny: 'Deny',
  denying: 'Denying…',
  denyWhy: 'Deny and say why…',
  reason: 'Reason for denying',
  reasonHint: 'What it should do instead',
  denyWithReason: 'Deny with this reason',
  back: 'Back',

  // An answer that is not waited for any more
  notRun: 'Not run:',
  expired: (askedAt: number, endedAt: number | undefined) =>
    `Asked at ${formatTime(askedAt)}. The run that asked was stopped` +
    `${endedAt === undefined ? '' : ` at ${formatTime(endedAt)}`}, so nothing was done.`,
  youSaid: 'You said:',

  // Modes
  modes: {
    ask: { icon: 'shield', name: 'Ask' },
    auto_edit: { icon: 'edit', name: 'Auto-edit' },
    bypass: { icon: 'warning', name: 'Bypass' },
  } satisfies Record<Mode, { readonly icon: string; readonly name: string }>,
  mode: (name: string) => `Mode: ${name}`,
  changingMode: (name: string) => `Changing to ${name}…`,

  // What a call changed
  added: (count: number) => (count === 1 ? '1 line added' : `${formatNumber(count)} lines added`),
  removed: (count: number) => `${formatNumber(count)} removed`,
  openDiff: 'Open diff',
  openFile: 'Open file',
  openOutput: 'Open output',
  undo: {
    edit: 'Undo this edit',
    redoEdit: 'Redo this edit',
    turn: 'Undo this turn’s file changes',
    redoTurn: 'Redo this turn’s file changes',
    running: 'Not while an answer is being written',
    undone: 'File changes undone',
    redone: 'File changes made again',
    notUndone: 'Not undone.',
    notRedone: 'Not made again.',
  },
} as const;

/** The question of a card. */
export function questionOf({ subject, reasons }: ApprovalRequest): string {
  switch (subject.kind) {
    case 'edit': {
      if (subject.outside) return 'Write a file outside this folder?';
      return `${subject.change.kind === 'created' ? 'Write' : 'Edit'} ${fileName(subject.change.path)}?`;
    }
    case 'read':
      return 'Read a file outside this folder?';
    case 'command':
      return reasons.includes('outside') ? 'Run this command outside this folder?' : 'Run this command?';
    case 'input':
      return 'Type into a command?';
    case 'memory':
      return 'Remember this?';
    case 'other':
      return `Use ${subject.tool}?`;
  }
}

/** Why the person is asked whatever the mode says. `folder`: name of the workspace folder. */
export function whyWords(reason: AskReason, subject: ApprovalSubject, folder: string | undefined): string | undefined {
  switch (reason) {
    case 'mode':
      return undefined;
    case 'outside': {
      const where = folder === undefined ? 'No folder is open here.' : `The workspace folder is ${folder}.`;
      if (subject.kind === 'read') return `${where} What is read goes to the model.`;
      return `${where} Holdfast cannot undo changes outside it.`;
    }
    case 'settings':
      return 'Settings of the editor can start programs.';
    case 'hooks':
      return 'Hooks and configuration of Git can start programs.';
    case 'own_data':
      return 'Holdfast keeps its own data there, or rules that it goes by.';
    case 'profile':
      return 'A shell runs this file whenever it starts.';
    case 'ignored':
      return 'It names a file that .holdfastignore hides.';
    case 'memory': {
      if (subject.kind === 'memory' && subject.scope === 'everywhere')
        return 'It goes into every later prompt, in every folder.';
      return `It goes into every later prompt of ${folder ?? 'this folder'}.`;
    }
    case 'foreign':
      return 'This tool is not of Holdfast, which does not see what it does and cannot undo it.';
    case 'unsaved':
      return 'This cannot be recorded now: what was asked and done may be missing after a restart.';
  }
}

/** The last step of a path. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** The path without its last step; empty when it has only one. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0));
}
