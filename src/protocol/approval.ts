import type { FileChange } from './fileChange';

/**
 * What a conversation may do without asking. `ask`: read. `auto_edit`: edit files of the folder, too. `bypass`: edit, and
 * run commands; it lives in memory only, so it ends with the window.
 */
export type Mode = 'ask' | 'auto_edit' | 'bypass';

/** Why the person is asked. All but `mode` ask in every mode. */
export type AskReason =
  | 'mode' // the mode asks before such calls
  | 'outside' // it lies outside the workspace folder
  | 'settings' // settings of the editor: what they name can run
  | 'hooks' // hooks and configuration of git
  | 'own_data' // the data of this extension, and what it is ruled by
  | 'profile' // what a shell runs when it starts
  | 'ignored' // it names a file that is hidden from the agent
  | 'memory' // what is remembered goes into every prompt
  | 'foreign' // a tool of another extension or of an MCP server
  | 'unsaved'; // it cannot be written down now that it was asked for

/** What is to be done, as the person sees it. Paths are as seen from the workspace folder, absolute when outside. */
export type ApprovalSubject =
  | { readonly kind: 'edit'; readonly change: FileChange; readonly outside: boolean }
  | { readonly kind: 'read'; readonly path: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      /** Folder in which it runs; `.` is the workspace folder. */
      readonly folder: string;
      /** Name of the shell that runs it. */
      readonly shell: string;
      /** Undefined: it runs in the background until it ends or is stopped. */
      readonly timeoutMs?: number;
    }
  /** Text for a command that runs in the background. */
  | { readonly kind: 'input'; readonly command: string; readonly text: string }
  | { readonly kind: 'memory'; readonly scope: 'folder' | 'everywhere'; readonly text: string }
  /** A tool that is not ours. `from`: whose it is, when that is known. */
  | {
      readonly kind: 'other';
      readonly tool: string;
      readonly from?: string;
      readonly arguments: { readonly [key: string]: unknown };
    };

/** What can be allowed from now on in the workspace, in the database and never in the repository. */
export type Rule =
  /** Edits of files that the pattern matches, seen from the workspace folder: a path, `src/queue/**`, or `**`. */
  | { readonly kind: 'files'; readonly pattern: string }
  /** One program call with these words first. `exact`: with these words only. */
  | { readonly kind: 'program'; readonly words: readonly string[]; readonly exact: boolean }
  | { readonly kind: 'tool'; readonly tool: string };

/** What the person can allow beside this once. `answer`: the same again, until this answer is done. */
export type Grant = { readonly kind: 'rule'; readonly rule: Rule } | { readonly kind: 'answer' };

/** A call that waits for leave. It is part of the call, and stays there when it is answered. */
export interface ApprovalRequest {
  /** An answer names it: one to another request does nothing. */
  readonly id: string;
  /** Epoch milliseconds, for display only. */
  readonly askedAt: number;
  readonly subject: ApprovalSubject;
  readonly reasons: readonly AskReason[];
  /** Empty: it can be allowed this once only. */
  readonly grants: readonly Grant[];
  /** Of what would be done. What would do something else needs another request. */
  readonly digest: string;
}

/** What the person answered. `grant`: index in the request's grants. `words`: for the model. */
export type ApprovalAnswer =
  | { readonly kind: 'allow' }
  | { readonly kind: 'grant'; readonly grant: number }
  | { readonly kind: 'deny'; readonly words?: string };

/** The longest text (UTF-16 units) that {@link subjectWords} says whole. */
const WORDS_CHARS = 160;

/** What is asked for in a few words and one line, as in `Approval: run npm test`. */
export function subjectWords(subject: ApprovalSubject): string {
  switch (subject.kind) {
    case 'edit': {
      const verb = subject.change.kind === 'created' ? 'write' : 'edit';
      const name = lastStep(subject.change.path);
      return subject.outside ? `write ${name}, outside the workspace folder` : `${verb} ${name}`;
    }
    case 'read':
      return `read ${lastStep(subject.path)}, outside the workspace folder`;
    case 'command':
      return `run ${oneLine(subject.command)}`;
    case 'input':
      return `type into ${oneLine(subject.command)}`;
    case 'memory':
      return `remember ${oneLine(subject.text)}`;
    case 'other':
      return `use ${subject.tool}`;
  }
}

/** Whether a path, as the person sees it, lies outside the workspace folder: what is changed there cannot be undone. */
export function isOutsidePath(path: string): boolean {
  return /^([\\/]|[a-z]:)/i.test(path);
}

function lastStep(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= WORDS_CHARS ? line : `${line.slice(0, WORDS_CHARS).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
