import type { JsonObject } from '../../protocol/part';
import type { SkillSource } from './skillSource';

/** What tools may touch: the narrow interface behind which every side effect hides. */
export interface ToolHost {
  /**
   * Path of the workspace folder on this machine. It may itself be a link. Without a folder: a folder of ours, with no
   * tool that works in it.
   */
  readonly root: string;
  /** Path of the ripgrep program. */
  readonly ripgrepPath: string;
  /** The skills that can be loaded; undefined: none. */
  readonly skills?: SkillSource;
}

/**
 * What a tool answers. `content` is written for the model, within the limits of `base/limits.ts`; `summary` is a few
 * words for the row (`204 lines`, `not found`). A failure is an ordinary answer that the model can act on.
 */
export type ToolOutcome =
  | { readonly ok: true; readonly content: string; readonly summary: string }
  | { readonly ok: false; readonly content: string; readonly summary: string };

/** What the model can call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of type object. */
  readonly parameters: JsonObject;
  /** Arguments that would do, shown to a model whose own did not. */
  readonly example: JsonObject;
  /** Whether it leaves everything as it is, so that it needs no leave. */
  readonly readOnly: boolean;
  /**
   * Runs with arguments as the model wrote them; wrong ones are an outcome. A tool should end soon after `signal`
   * aborts, but nobody waits for it then. It throws only when it has a fault.
   */
  run(args: JsonObject, host: ToolHost, signal: AbortSignal): Promise<ToolOutcome>;
}

/** An outcome that tells the model what to do instead. */
export function refused(content: string, summary: string): ToolOutcome {
  return { ok: false, content, summary };
}
