/**
 * Version 1. Integers inside, ULIDs for what has an identity outside; JSON `data` for what evolves, real columns for
 * keys, order, status and what is listed. The CHECKs repeat the bounds of `rowId.ts`.
 */
export const migration001 = `
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workspace (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE conversation (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 1048575),
  ulid TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspace (id),
  kind TEXT NOT NULL CHECK (kind IN ('chat', 'sub_agent')),
  title TEXT NOT NULL DEFAULT '',
  parent INTEGER,
  parent_seq INTEGER,
  parent_idx INTEGER,
  model TEXT,
  mode TEXT NOT NULL DEFAULT 'ask' CHECK (mode IN ('ask', 'auto_edit')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  pinned INTEGER NOT NULL DEFAULT 0,
  trashed_at INTEGER,
  forked_from INTEGER,
  forked_at_seq INTEGER
) STRICT;
CREATE INDEX conversation_newest ON conversation (workspace, updated_at, id);

CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  seq INTEGER NOT NULL CHECK (seq BETWEEN 1 AND 16777215),
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  status TEXT NOT NULL CHECK (status IN ('streaming', 'done', 'aborted', 'error')),
  client_id TEXT,
  created_at INTEGER NOT NULL,
  data TEXT NOT NULL,
  CHECK (id = conversation * 4294967296 + seq * 256)
) STRICT;
CREATE UNIQUE INDEX message_client ON message (conversation, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX message_streaming ON message (conversation) WHERE status = 'streaming';

CREATE TABLE part (
  id INTEGER PRIMARY KEY CHECK (id % 256 <= 250),
  type TEXT NOT NULL,
  state TEXT,
  data TEXT NOT NULL
) STRICT;

CREATE TABLE part_delta (
  part_id INTEGER NOT NULL,
  chunk INTEGER NOT NULL CHECK (chunk >= 0),
  at INTEGER NOT NULL CHECK (at >= 0),
  data TEXT NOT NULL,
  PRIMARY KEY (part_id, chunk)
) STRICT, WITHOUT ROWID;

CREATE TABLE sub_agent (
  conversation INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL,
  parent_seq INTEGER NOT NULL,
  parent_idx INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'error', 'cancelled', 'interrupted')),
  description TEXT NOT NULL,
  prompt TEXT NOT NULL,
  result TEXT,
  started_at INTEGER,
  finished_at INTEGER,
  delivered_seq INTEGER
) STRICT;

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  owner TEXT NOT NULL,
  host TEXT NOT NULL,
  fence INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('live', 'suspended', 'ended')),
  takeover_by TEXT,
  UNIQUE (conversation, fence)
) STRICT;
CREATE UNIQUE INDEX run_open ON run (conversation) WHERE state <> 'ended';

CREATE TABLE rejected (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  error TEXT NOT NULL,
  change TEXT NOT NULL
) STRICT;

INSERT INTO meta (key, value) VALUES ('min_writer', '1');
`;
