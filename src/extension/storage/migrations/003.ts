/**
 * Version 3: what was allowed from now on (`permission`), what calls made of files (`file_version`, its bytes in `blob`),
 * and images that tools read (`part.image`).
 *
 * It only adds, and a window of version 1 or 2 may go on writing beside it: `min_writer` stays. Such a window has no call
 * that changes anything, and knows no mode and no rule; it never runs what waits for leave: when it takes a conversation
 * over, or is written to there, the calls expire. An image has a column of its own because such a window takes whatever
 * `part.blob` names for the text of a result, and would tell it to the model; it leaves `image` as it is. When it is the
 * one that closes a run of a window that died, the call that ran then loses what it had asked for, not the file's bytes
 * before it. To refuse it every write would cost it the answer that it is receiving.
 *
 * The ids of `permission` are never given twice: whoever revokes one read its id some time ago.
 */
export const migration003 = `
CREATE TABLE permission (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER NOT NULL REFERENCES workspace (id),
  kind TEXT NOT NULL,
  rule TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (workspace, rule)
) STRICT;

CREATE TABLE file_version (
  conversation INTEGER NOT NULL,
  seq INTEGER NOT NULL CHECK (seq BETWEEN 1 AND 16777215),
  idx INTEGER NOT NULL CHECK (idx BETWEEN 0 AND 250),
  path TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('proposed', 'applied', 'undone')),
  before_hash TEXT,
  before_mode INTEGER,
  after_hash TEXT,
  after_mode INTEGER,
  PRIMARY KEY (conversation, seq, idx, path),
  CHECK ((before_hash IS NULL) = (before_mode IS NULL)),
  CHECK ((after_hash IS NULL) = (after_mode IS NULL))
) STRICT, WITHOUT ROWID;

ALTER TABLE part ADD COLUMN image TEXT;
`;
