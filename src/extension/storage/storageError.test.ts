import { describe, expect, it } from 'vitest';
import { StorageError } from './storageError';

function from(code: string): StorageError {
  return StorageError.from(Object.assign(new Error(`${code}: what SQLite says`), { code }));
}

describe('a failure of the driver', () => {
  it.each([
    ['SQLITE_BUSY_RECOVERY', 'SQLITE_BUSY', 'transient', 'Another window is writing to the history file.'],
    ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR', 'transient', 'The disk reported an error.'],
    ['SQLITE_READONLY_DIRECTORY', 'SQLITE_READONLY', 'transient', 'The history file is read-only.'],
    ['SQLITE_FULL', 'SQLITE_FULL', 'transient', 'The disk is full.'],
    ['SQLITE_CORRUPT_INDEX', 'SQLITE_CORRUPT', 'damaged', 'The history file is damaged. It was left as it is.'],
    ['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT', 'permanent', 'The history file reported an error.'],
  ])('%s is classed by its primary code, %s', (extended, code, kind, sentence) => {
    const error = from(extended);
    expect(error).toMatchObject({ code, kind, sentence });
    expect(error.message).toContain(extended);
  });
});
