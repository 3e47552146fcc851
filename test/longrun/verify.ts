import { join } from 'node:path';
import type { ConversationId } from '../../src/protocol/ids';
import { isOwnMessage, type Message } from '../../src/protocol/message';
import { systemClock } from '../../src/extension/base/clock';
import { Connection } from '../../src/extension/storage/connection';
import { Reader } from '../../src/extension/storage/reading/reader';
import { alone } from '../torture/alone';
import { printOf } from './prints';
import type { Remembered } from './remembered';

export interface Verified {
  readonly problems: readonly string[];
  readonly quickCheck: string;
  readonly messages: number;
}

/** Questions to the file that must have no answer once every window is closed. */
const MUST_BE_NONE: readonly { readonly what: string; readonly sql: string }[] = [
  { what: 'run that has not ended', sql: `SELECT id FROM run WHERE state <> 'ended'` },
  { what: 'message that streams', sql: `SELECT id FROM message WHERE status = 'streaming'` },
  {
    what: 'call that waits or runs',
    sql: `SELECT id FROM part WHERE state IN ('pending', 'awaiting_approval', 'running')`,
  },
  { what: 'change set aside', sql: `SELECT id FROM rejected` },
];

/** Compares the file, with every window closed, with all that was said and done. */
export async function verify(history: string, conversation: string, remembered: Remembered): Promise<Verified> {
  const connection = await Connection.open(join(history, 'holdfast.db'), 'existing');
  try {
    const problems: string[] = [];
    const check = await connection.exclusive((statements) => statements.get('PRAGMA quick_check'));
    const quickCheck = String(check?.['quick_check']);
    if (quickCheck !== 'ok') problems.push(`quick_check: ${quickCheck}`);
    for (const { what, sql } of MUST_BE_NONE) {
      const rows = await connection.exclusive((statements) => statements.all(sql));
      if (rows.length > 0) problems.push(`${rows.length} times: ${what}`);
    }
    const reader = new Reader(alone(connection), systemClock);
    const id = conversation as ConversationId;
    const messages = await wholeConversation(reader, id);
    const queued = (await reader.readQueue(id)).map(({ clientId }) => String(clientId));
    problems.push(...placeProblems(messages), ...ownProblems(messages, queued, remembered));
    problems.push(...printProblems(messages, remembered), ...answerProblems(messages, remembered));
    return { problems, quickCheck, messages: messages.length };
  } finally {
    await connection.close();
  }
}

async function wholeConversation(reader: Reader, id: ConversationId): Promise<readonly Message[]> {
  const stored = await reader.readConversation(id);
  let page = stored?.page ?? { messages: [], hasOlder: false };
  const messages = [...page.messages];
  for (let oldest = messages[0]; page.hasOlder && oldest !== undefined; oldest = messages[0]) {
    page = await reader.readOlderPage(id, oldest.seq);
    messages.unshift(...page.messages);
  }
  return messages;
}

function placeProblems(messages: readonly Message[]): readonly string[] {
  const place = messages.findIndex(({ seq }, index) => seq !== index + 1);
  return place < 0 ? [] : [`Message ${messages[place]?.seq} stands where ${place + 1} should.`];
}

/** Every message that was said to be kept is there as it was written, in the order in which they were asked. */
function ownProblems(
  messages: readonly Message[],
  queued: readonly string[],
  remembered: Remembered,
): readonly string[] {
  const problems: string[] = [];
  const own = messages.filter(isOwnMessage);
  const ids = own.map(({ clientId }) => String(clientId));
  const asked = remembered.asked;
  if (ids.join() !== asked.join()) {
    const place = asked.findIndex((id, index) => ids[index] !== id);
    problems.push(
      `Of the person's messages ${ids[place]} stands where ${asked[place]} should (${ids.length} of ${asked.length}).`,
    );
  }
  for (const id of remembered.kept) {
    if (!ids.includes(id) && !queued.includes(id)) problems.push(`${id} was kept, and it is gone.`);
  }
  for (const { clientId, parts } of own) {
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (text !== remembered.textOf(String(clientId))) problems.push(`${clientId} is not as it was written.`);
  }
  return problems;
}

/** What has ended stays as it was: no compaction and no death takes or changes a word. */
function printProblems(messages: readonly Message[], { prints }: Remembered): readonly string[] {
  const found = new Map(messages.map((message) => [message.seq, printOf(message)]));
  return [...prints].flatMap(([seq, print]) => {
    if (found.get(seq) === print) return [];
    return [found.has(seq) ? `Message ${seq} is not as it was.` : `Message ${seq} is gone.`];
  });
}

function answerProblems(messages: readonly Message[], { answers }: Remembered): readonly string[] {
  const texts = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))),
  );
  return answers.flatMap((answer) =>
    texts.has(answer) ? [] : [`The answer is not in the file: ${answer.slice(0, 80)}`],
  );
}
