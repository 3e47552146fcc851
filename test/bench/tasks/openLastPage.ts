import type { ConversationId } from '../../../src/protocol/ids';
import { BenchHistory } from '../history';

/** Opens a file as a window does at its start and reads the newest page of a conversation. */
export async function openLastPage(args: {
  readonly folder: string;
  readonly conversationId: string;
}): Promise<{ readonly openMs: number; readonly readMs: number; readonly pageMessages: number }> {
  const conversationId = args.conversationId as ConversationId;
  // Loading the driver costs the same for every file, and would hide how the rest grows.
  await import('@vscode/sqlite3');
  const since = performance.now();
  const history = await BenchHistory.open(args.folder, conversationId);
  const opened = performance.now();
  const stored = await history.store.reader.readConversation(conversationId);
  const read = performance.now();
  await history.close();
  if (stored === undefined) throw new Error('the conversation is not in the file');
  return { openMs: opened - since, readMs: read - opened, pageMessages: stored.page.messages.length };
}
