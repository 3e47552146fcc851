import type { RunningCommands } from './commands/runningCommands';
import type { UnsavedEditors } from './files/unsavedEditors';
import type { SeenFiles } from './files/seenFiles';
import type { MemoryFiles } from './memoryFiles';
import type { ProblemSource } from './problemSource';
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
  /** Documents of the editor that hold what is not saved: for them, the editor is the truth. */
  readonly editors: UnsavedEditors;
  /** What the model of this conversation was told of files. */
  readonly seen: SeenFiles;
  /** The commands that this conversation runs. */
  readonly commands: RunningCommands;
  /** What the editor knows to be wrong in the files. */
  readonly problems: ProblemSource;
  /** Where what is remembered stands. */
  readonly memory: MemoryFiles;
  /** Folders (absolute) with data of this extension, and the person's home: what is guarded wherever it lies. */
  readonly ownFolders: readonly string[];
  readonly home?: string;
  /** Whether the model sees images. */
  readonly vision: boolean;
}
