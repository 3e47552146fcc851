/** What a call changes, or would change, in one file: enough to show it, never the whole file. */
export interface FileChange {
  /** As seen from the workspace folder, with `/` between its steps; absolute when it lies outside. */
  readonly path: string;
  readonly kind: 'created' | 'changed';
  /** Lines in all, whether they are shown or not. */
  readonly added: number;
  readonly removed: number;
  /** Changed places with a few lines around them, in order of the file. */
  readonly hunks: readonly DiffHunk[];
  /** Changed places of the file that are not in `hunks`; 0: all of them are. */
  readonly hunksLeftOut: number;
  /** It was taken back, and can be made again. */
  readonly undone?: true;
}

/** One changed place. Line numbers count from 1. A line of `lines` begins with ` `, `+` or `-`. */
export interface DiffHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}
