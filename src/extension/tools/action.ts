import type { FileChange } from '../../protocol/fileChange';
import type { JsonObject } from '../../protocol/part';
import type { FilePlace, Guard } from './filePlace';

/** What a planned call would do to the world beyond reading what it may read anyway. Leave is given or refused for it. */
export type Action =
  | { readonly kind: 'edit'; readonly place: FilePlace; readonly change: FileChange }
  /** Of a file outside the workspace folder. */
  | { readonly kind: 'read'; readonly place: FilePlace }
  | CommandAction
  /** Text for a command that runs in the background. */
  | {
      readonly kind: 'input';
      readonly command: string;
      readonly text: string;
      readonly namesIgnored: boolean;
      readonly guarded: readonly NamedGuard[];
    }
  | { readonly kind: 'memory'; readonly scope: 'folder' | 'everywhere'; readonly path: string; readonly text: string }
  /** A tool that is not ours. */
  | { readonly kind: 'other'; readonly tool: string; readonly from?: string; readonly arguments: JsonObject };

export interface CommandAction {
  readonly kind: 'command';
  readonly command: string;
  /** Real path of the folder in which it runs, and the same as seen from the workspace folder (`.`). */
  readonly cwd: string;
  readonly folder: string;
  readonly outside: boolean;
  readonly shell: ShellKind;
  /** Undefined: it runs in the background until it ends or is stopped. */
  readonly timeoutMs?: number;
  /** Whether it names, or may name, a file that is hidden from the agent (`.holdfastignore`). */
  readonly namesIgnored: boolean;
  readonly guarded: readonly NamedGuard[];
}

/** What a command line plainly names (`permissions/namesGuarded.ts`): places outside, and those that are guarded. */
export type NamedGuard = 'outside' | Guard;

/** The shell that runs commands: only what a `posix` one does with a line is known well enough to be ruled on. */
export interface ShellKind {
  /** Path of the program. */
  readonly program: string;
  /** What a person calls it: `bash`, `sh`, `powershell`. */
  readonly name: string;
  readonly family: 'posix' | 'other';
}
