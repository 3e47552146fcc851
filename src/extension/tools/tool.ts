import type { FileChange } from '../../protocol/fileChange';
import type { JsonObject, ToolImage, ToolOutput } from '../../protocol/part';
import type { FileVersion } from '../base/fileVersion';
import type { Action } from './action';
import type { ToolHost } from './toolHost';

/**
 * What a tool answers. `content` is written for the model, within the limits of `base/limits.ts`; `summary` is a few
 * words for the row (`204 lines`, `not found`). A failure is an ordinary answer that the model can act on.
 */
export interface ToolOutcome {
  readonly ok: boolean;
  readonly content: string;
  readonly summary: string;
  /** Of a command that has ended. One that ended badly is no failure of the tool. */
  readonly exitCode?: number;
  readonly image?: ToolImage;
  /** What it changed in a file. */
  readonly change?: FileChange;
}

/** What a call that runs is given. */
export interface CallRun {
  readonly signal: AbortSignal;
  /** Shows what a command has printed so far. As often as one likes. */
  output(output: ToolOutput): void;
}

/** A call of which is known what it would do, with nothing done yet. */
export interface ReadyCall {
  readonly kind: 'ready';
  /** Undefined: it only reads what it may read anyway. */
  readonly action?: Action;
  /** The file that it would change inside the workspace folder, so that it can be undone. */
  readonly version?: FileVersion;
  /** The same of a file outside, of which nothing is kept: leave is for all of these bytes, not for those that are shown. */
  readonly unkept?: FileVersion;
  /**
   * Does it, or answers in words when the world is not as it was planned for. It should end soon after the signal
   * aborts, but nobody waits for it then. It throws only when it has a fault.
   */
  run(run: CallRun): Promise<ToolOutcome>;
}

/** `answered`: there is nothing to do, or it cannot be done. */
export type Planned = { readonly kind: 'answered'; readonly outcome: ToolOutcome } | ReadyCall;

/** What the model can call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of type object. */
  readonly parameters: JsonObject;
  /** Arguments that would do, shown to a model whose own did not. */
  readonly example: JsonObject;
  /** Whether it leaves everything as it is, so that others may run beside it. */
  readonly readOnly: boolean;
  /**
   * Says what a call would do. Arguments are as the model wrote them; wrong ones are an outcome. Reads at most; changes
   * nothing. It throws only when it has a fault.
   */
  plan(args: JsonObject, host: ToolHost, signal: AbortSignal): Promise<Planned>;
}

/** An outcome that tells the model what to do instead. */
export function refused(content: string, summary: string): ToolOutcome {
  return { ok: false, content, summary };
}

/** A call that needs no more planning than its answer. */
export function answered(outcome: ToolOutcome): Planned {
  return { kind: 'answered', outcome };
}
