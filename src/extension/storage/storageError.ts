/**
 * What a failed statement means for what waits behind it.
 * - `transient`: the same write may succeed later; keep it and its place.
 * - `permanent`: this statement can never succeed; set it aside and go on.
 * - `damaged`: the file is not what SQLite wrote; touch nothing.
 * - `newer`: a newer build owns the file; read only.
 * - `driver`: the native module does not load.
 */
export type StorageErrorKind = 'transient' | 'permanent' | 'damaged' | 'newer' | 'driver';

const KINDS: ReadonlyMap<string, StorageErrorKind> = new Map([
  ['SQLITE_BUSY', 'transient'],
  ['SQLITE_LOCKED', 'transient'],
  ['SQLITE_FULL', 'transient'],
  ['SQLITE_IOERR', 'transient'],
  ['SQLITE_CANTOPEN', 'transient'],
  ['SQLITE_READONLY', 'transient'],
  ['SQLITE_NOMEM', 'transient'],
  ['SQLITE_PROTOCOL', 'transient'],
  ['SQLITE_PERM', 'transient'],
  // The connection was closed between asking for it and using it.
  ['SQLITE_MISUSE', 'transient'],
  ['SQLITE_CONSTRAINT', 'permanent'],
  ['SQLITE_MISMATCH', 'permanent'],
  ['SQLITE_TOOBIG', 'permanent'],
  ['SQLITE_ERROR', 'permanent'],
  ['SQLITE_RANGE', 'permanent'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_NOTADB', 'damaged'],
]);

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['SQLITE_BUSY', 'Another window is writing to the history file.'],
  ['SQLITE_LOCKED', 'Another window is writing to the history file.'],
  ['SQLITE_FULL', 'The disk is full.'],
  ['SQLITE_IOERR', 'The disk reported an error.'],
  ['SQLITE_CANTOPEN', 'The history file cannot be opened.'],
  ['SQLITE_READONLY', 'The history file is read-only.'],
  ['SQLITE_PROTOCOL', 'Another window is writing to the history file.'],
  ['SQLITE_PERM', 'The history file may not be changed.'],
  ['SQLITE_NOMEM', 'The computer is out of memory.'],
  ['SQLITE_CORRUPT', 'The history file is damaged. It was left as it is.'],
  ['SQLITE_NOTADB', 'The history file is damaged. It was left as it is.'],
]);

/** Every failure of the store. `sentence` is for the person; `code` and `message` are for the log. */
export class StorageError extends Error {
  readonly kind: StorageErrorKind;
  readonly code: string;
  readonly sentence: string;

  constructor(kind: StorageErrorKind, code: string, message: string, sentence: string) {
    super(message);
    this.name = 'StorageError';
    this.kind = kind;
    this.code = code;
    this.sentence = sentence;
  }

  /** The error of the driver, classed by its code (SQLite's primary result codes). */
  static from(error: unknown): StorageError {
    if (error instanceof StorageError) return error;
    const code = codeOf(error);
    // The driver's message starts with the extended code.
    const message = error instanceof Error ? error.message : String(error);
    const sentence = SENTENCES.get(code) ?? 'The history file reported an error.';
    return new StorageError(KINDS.get(code) ?? 'permanent', code, message, sentence);
  }

  static driver(error: unknown): StorageError {
    const message = error instanceof Error ? error.message : String(error);
    return new StorageError('driver', 'DRIVER', message, 'The part of Holdfast that writes the history does not load.');
  }

  /** `version`: of the file, or the least that may write it. */
  static newer(version: number): StorageError {
    return new StorageError(
      'newer',
      'NEWER',
      `user_version ${version}`,
      'A newer Holdfast in another window updated the history file. Copy what is not saved, then reload this window.',
    );
  }
}

/** The primary result code: the driver gives extended ones, such as SQLITE_IOERR_WRITE and SQLITE_BUSY_RECOVERY. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
  return /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;
}
