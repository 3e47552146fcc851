/**
 * Version 2: what windows tell each other (`change`), messages and words that are not sent yet (`queued`, `draft`), long
 * results beside their parts (`blob`), and whose change was refused. It only adds, so a window of version 1 may go on
 * writing beside it: `min_writer` stays. What such a window writes is read when the conversation is opened.
 */
export const migration002 = `
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('conversation', 'message', 'part', 'run', 'queue', 'sub_agent')),
  seq INTEGER,
  idx INTEGER
) STRICT;

CREATE TABLE queued (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (conversation, client_id)
) STRICT;

CREATE TABLE draft (
  conversation INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE blob (
  hash TEXT PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;
ALTER TABLE part ADD COLUMN blob TEXT;

ALTER TABLE rejected ADD COLUMN conversation TEXT;
UPDATE rejected SET conversation = json_extract(change, '$.conversationId') WHERE json_valid(change);
CREATE INDEX rejected_conversation ON rejected (conversation);

CREATE INDEX sub_agent_parent ON sub_agent (parent, parent_seq, parent_idx);
`;
