import { join } from 'node:path';
import { silentLog } from '../../src/extension/base/log';
import { Connection } from '../../src/extension/storage/connection';
import { systemClock } from '../../src/extension/base/clock';
import { alone } from './alone';
import { Reader } from '../../src/extension/storage/reading/reader';
import { Store } from '../../src/extension/storage/store';
import { StorageError } from '../../src/extension/storage/storageError';
import type { AckedEntry, Ledger } from './ledger';
import { missing } from './missing';
import type { Invariant, Problem } from './problem';
import { readWhole } from './readWhole';
import { storedConversations, type StoredConversation } from './stored';

export interface Verified {
  readonly problems: readonly Problem[];
  readonly quickCheck: string;
  readonly conversations: number;
  readonly messages: number;
}

/** Questions to the whole file that must have no answer. */
const MUST_BE_NONE: readonly { readonly invariant: Invariant; readonly what: string; readonly sql: string }[] = [
  {
    invariant: 'orphans',
    what: 'part without a message',
    sql: 'SELECT p.id FROM part p WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.id = p.id - p.id % 256)',
  },
  {
    invariant: 'orphans',
    what: 'message without a conversation',
    sql: 'SELECT m.id FROM message m WHERE NOT EXISTS (SELECT 1 FROM conversation c WHERE c.id = m.conversation)',
  },
  {
    invariant: 'orphans',
    what: 'chunk without a part',
    sql: 'SELECT d.part_id AS id FROM part_delta d WHERE NOT EXISTS (SELECT 1 FROM part p WHERE p.id = d.part_id)',
  },
  {
    invariant: 'orphans',
    what: 'run without a conversation',
    sql: 'SELECT r.id FROM run r WHERE NOT EXISTS (SELECT 1 FROM conversation c WHERE c.id = r.conversation)',
  },
  {
    invariant: 'orphans',
    what: 'version of a file without its bytes',
    sql: `SELECT path AS id FROM file_version WHERE before_hash NOT IN (SELECT hash FROM blob) OR after_hash NOT IN (SELECT hash FROM blob)`,
  },
  {
    invariant: 'fenceFaults',
    what: 'run that has not ended, with every window gone and recovery done',
    sql: `SELECT id FROM run WHERE state <> 'ended'`,
  },
  {
    invariant: 'fenceFaults',
    what: 'message that streams, with every window gone and recovery done',
    sql: `SELECT id FROM message WHERE status = 'streaming'`,
  },
  {
    invariant: 'fenceFaults',
    what: 'call that waits or runs, with every window gone and recovery done',
    sql: `SELECT id FROM part WHERE state IN ('pending', 'awaiting_approval', 'running')`,
  },
  {
    invariant: 'rejected',
    what: 'change set aside',
    sql: `SELECT id || ': ' || error || ' ' || substr(change, 1, 300) AS id FROM rejected`,
  },
];

/** Compares the file, with every window gone, with everything that was acknowledged. Opens it once as the product does. */
export async function verify(folder: string, ledger: Ledger): Promise<Verified> {
  const problems: Problem[] = [];
  // Whoever comes next ends the runs of those who are gone.
  const store = new Store(folder, 'the-machine', silentLog);
  const failure = await store.start();
  if (failure !== undefined)
    problems.push({ invariant: 'unreadable', words: `The file does not open: ${failure.message}` });
  await store.close();

  const connection = await Connection.open(join(folder, 'holdfast.db'), 'existing');
  try {
    const check = await connection.exclusive((statements) => statements.get('PRAGMA quick_check'));
    const quickCheck = String(check?.['quick_check']);
    if (quickCheck !== 'ok') problems.push({ invariant: 'damaged', words: `quick_check: ${quickCheck}` });
    for (const { invariant, what, sql } of MUST_BE_NONE) {
      const rows = await connection.exclusive((statements) => statements.all(sql));
      for (const row of rows) problems.push({ invariant, words: `${what}: ${String(row['id'])}` });
    }
    const left = new Map(ledger.conversations);
    const reader = new Reader(alone(connection), systemClock);
    let conversations = 0;
    let messages = 0;
    for await (const stored of storedConversations(connection)) {
      conversations += 1;
      messages += stored.messages.size;
      problems.push(
        ...lost(left.get(stored.ulid) ?? [], stored),
        ...outOfOrder(stored),
        ...(await unreadable(reader, stored)),
      );
      left.delete(stored.ulid);
    }
    for (const acked of left.values()) problems.push(...lost(acked, undefined));
    return { problems, quickCheck, conversations, messages };
  } finally {
    await connection.close();
  }
}

function lost(acked: readonly AckedEntry[], stored: StoredConversation | undefined): readonly Problem[] {
  const unqueued = new Set(
    acked.flatMap(({ type, clientId }) => (type === 'message_unqueued' ? [clientId ?? ''] : [])),
  );
  return acked.flatMap((entry) => {
    const why = missing(entry, stored, unqueued);
    if (why === undefined) return [];
    const { conversation, type, fence, who, heardAt } = entry;
    const words = `${conversation}: ${type} of ${who} under fence ${fence ?? 'none'} was acknowledged, but ${why}.`;
    return [{ invariant: 'acknowledgedLost' as const, words, conversation, at: heardAt }];
  });
}

function outOfOrder(stored: StoredConversation): readonly Problem[] {
  const problems: Problem[] = [];
  const fault = (invariant: Invariant, words: string): void => {
    problems.push({ invariant, words: `${stored.ulid}: ${words}`, conversation: stored.ulid });
  };
  const follow = (what: string, numbers: Iterable<number>, first: number): void => {
    let next = first;
    for (const number of numbers) {
      if (number !== next) fault('orderFaults', `${what} ${number} stands where ${next} should.`);
      next = number + 1;
    }
  };
  follow('message', stored.messages.keys(), 1);
  for (const { seq, parts } of stored.messages.values()) follow(`part of message ${seq},`, parts.keys(), 0);
  let fence = 0;
  for (const next of stored.runs.keys()) {
    if (next <= fence) fault('fenceFaults', `fence ${next} came after ${fence}.`);
    fence = next;
  }
  return problems;
}

async function unreadable(reader: Reader, { ulid, messages }: StoredConversation): Promise<readonly Problem[]> {
  const problem = (why: string): Problem => ({
    invariant: 'unreadable',
    words: `${ulid} at the end: ${why}`,
    conversation: ulid,
  });
  try {
    const read = await readWhole(reader, ulid);
    const short = read.messages === messages.size ? [] : [`${read.messages} of ${messages.size} messages can be read`];
    return [...read.faults, ...short].map(problem);
  } catch (error) {
    return [problem(StorageError.from(error).message)];
  }
}
