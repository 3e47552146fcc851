import type { ConversationId } from '../../src/protocol/ids';
import type { Message } from '../../src/protocol/message';
import type { Connection } from '../../src/extension/storage/connection';
import type { Reader } from '../../src/extension/storage/reading/reader';

export async function conversationIds(connection: Connection): Promise<readonly string[]> {
  const rows = await connection.exclusive((statements) => statements.all('SELECT ulid FROM conversation ORDER BY id'));
  return rows.map((row) => String(row['ulid']));
}

/** Reads a conversation as a person scrolls: newest page first. Answers what is wrong with what came, in words. */
export async function readWhole(
  reader: Reader,
  conversation: string,
): Promise<{ readonly messages: number; readonly faults: readonly string[] }> {
  const id = conversation as ConversationId;
  const stored = await reader.readConversation(id);
  if (stored === undefined) return { messages: 0, faults: ['it is in the list and cannot be read'] };
  const faults: string[] = [];
  let messages = 0;
  let before: number | undefined;
  let page = stored.page;
  for (;;) {
    messages += page.messages.length;
    faults.push(...pageFaults(page.messages, before));
    before = page.messages[0]?.seq;
    if (!page.hasOlder || before === undefined) break;
    page = await reader.readOlderPage(id, before);
  }
  if (before !== undefined && before !== 1) faults.push(`its oldest message is number ${before}`);
  return { messages, faults };
}

function pageFaults(messages: readonly Message[], before: number | undefined): readonly string[] {
  const faults: string[] = [];
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1]?.seq ?? before;
    if (next !== undefined && next !== message.seq + 1) faults.push(`message ${next} follows ${message.seq}`);
    for (const [idx, part] of message.parts.entries()) {
      if (part.type === 'unknown')
        faults.push(`part ${idx} of message ${message.seq} is unknown: ${part.json.slice(0, 80)}`);
    }
  }
  return faults;
}
