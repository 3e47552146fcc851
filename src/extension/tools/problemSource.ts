/** Something that the editor knows to be wrong. Lines and columns count from 1. */
export interface Problem {
  /** Absolute path of the file. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  /** What found it: `ts`, `eslint`. */
  readonly source?: string;
}

/** What the editor's language services have found in the files of the window. */
export interface ProblemSource {
  all(): readonly Problem[];
}
