/** A text of the person or the folder that goes along with every request. */
export interface ContextText {
  readonly frame: 'agents_md' | 'memory_md';
  /** Its path as people write it: `AGENTS.md`, `~/.holdfast/memory.md`. */
  readonly shown: string;
  readonly text: string;
  /** Whether `read_file` can read it, since it lies in the workspace folder. */
  readonly readable: boolean;
  /** What is left out first when there is no room for all: the highest number. */
  readonly rank: number;
}
