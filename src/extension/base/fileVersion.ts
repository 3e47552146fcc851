/** What a file holds, and its permission bits (0 where the system has none). */
export interface FileState {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** A file before and after a change; undefined: there is no such file. `path`: real and absolute. */
export interface FileVersion {
  readonly path: string;
  readonly before: FileState | undefined;
  readonly after: FileState | undefined;
}

/**
 * `proposed`: nothing was done yet, or ever. `applied`: it was done, or the process died while it was. `undone`: it was
 * taken back.
 */
export type VersionState = 'proposed' | 'applied' | 'undone';
