import { join } from 'node:path';
import type { ConversationId } from '../../src/protocol/ids';
import { silentLog } from '../../src/extension/base/log';
import { Connection } from '../../src/extension/storage/connection';
import { systemClock } from '../../src/extension/base/clock';
import { alone } from './alone';
import { Reader } from '../../src/extension/storage/reading/reader';
import { Store } from '../../src/extension/storage/store';
import { StorageError } from '../../src/extension/storage/storageError';
import type { AckedEntry, Ledger } from './ledger';
import { answerWaiting } from './lastAnswers';
import { missing } from './missing';
import type { Invariant, Problem } from './problem';
import { readWhole } from './readWhole';
import { storedConversations, type StoredConversation } from './stored';

export interface Verified {
  readonly problems: readonly Problem[];
  readonly quickCheck: string;
  readonly conversations: number;
  readonly messages: number;
  /** Calls that waited with every window gone, and were answered then. */
  readonly answeredAtEnd: number;
}

/** Messages that are left open since a call of them waits for leave, with the run that an answer goes on with. */
const LEFT_OPEN = `
  SELECT r.id AS run, m.id AS message FROM run r JOIN message m ON m.conversation = r.conversation
   WHERE r.state = 'suspended' AND m.status = 'streaming'
     AND m.seq = (SELECT max(l.seq) FROM message l WHERE l.conversation = r.conversation)
     AND EXISTS (SELECT 1 FROM part p WHERE p.id BETWEEN m.id AND m.id + 255 AND p.state = 'awaiting_approval')`;

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
    what: 'run that neither ended nor waits for an answer, with every window gone and recovery done',
    sql: `SELECT id FROM run WHERE state <> 'ended' AND id NOT IN (SELECT run FROM (${LEFT_OPEN}))`,
  },
  {
    invariant: 'fenceFaults',
    what: 'message that streams and does not wait for an answer, with every window gone and recovery done',
    sql: `SELECT id FROM message WHERE status = 'streaming' AND id NOT IN (SELECT message FROM (${LEFT_OPEN}))`,
  },
  {
    invariant: 'fenceFaults',
    what: 'call that runs, or waits without a run to go on with, with every window gone and recovery done',
    sql: `SELECT id FROM part WHERE state = 'running' OR state IN ('pending', 'awaiting_approval')
             AND id - id % 256 NOT IN (SELECT message FROM (${LEFT_OPEN}))`,
  },
  {
    invariant: 'rejected',
    what: 'change set aside',
    sql: `SELECT id || ': ' || error || ' ' || substr(change, 1, 300) AS id FROM rejected`,
  },
];

/** Calls of so many conversations are answered at the end; the others go on waiting. */
const ANSWERED = 10;

export interface VerifyOptions {
  /** Folder of the history file. */
  readonly folder: string;
  /** Folder of the files that calls change. */
  readonly files: string;
  readonly ledger: Ledger;
}

/**
 * Compares the file, with every window gone, with everything that was acknowledged, and answers calls that wait in it.
 * Opens it as the product does.
 */
export async function verify({ folder, files, ledger }: VerifyOptions): Promise<Verified> {
  const compared = await compare(folder, ledger);
  const waiting = compared.waiting.slice(0, ANSWERED);
  const problems = [...compared.problems, ...(await answerWaiting(folder, files, ledger, waiting))];
  return { ...compared.facts, problems, answeredAtEnd: waiting.length };
}

interface Compared {
  readonly problems: readonly Problem[];
  readonly facts: Pick<Verified, 'quickCheck' | 'conversations' | 'messages'>;
  /** Conversations that nobody runs and that wait for an answer, in the order of their runs. */
  readonly waiting: readonly ConversationId[];
}

async function compare(folder: string, ledger: Ledger): Promise<Compared> {
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
        ...ledger.calls.madeInVain(stored),
        ...(await unreadable(reader, stored)),
      );
      left.delete(stored.ulid);
    }
    for (const acked of left.values()) problems.push(...lost(acked, undefined));
    const waiting = await connection.exclusive((statements) =>
      statements.all(
        `SELECT c.ulid FROM run r JOIN conversation c ON c.id = r.conversation WHERE r.state = 'suspended' ORDER BY r.id`,
      ),
    );
    const ids = waiting.map((row) => String(row['ulid']) as ConversationId);
    return { problems, facts: { quickCheck, conversations, messages }, waiting: ids };
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
