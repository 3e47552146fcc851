import { isOwnMessage } from '../../protocol/message';
import { withOlderPage, type Transcript } from '../../protocol/transcript';
import type { Reader } from '../storage/reading/reader';

/**
 * The transcript with older pages put before it until it holds a message of the person: a turn can be longer than a
 * page, and a model must be asked something. Throws StorageError.
 */
export async function withQuestion(transcript: Transcript, reader: Reader): Promise<Transcript> {
  let longer = transcript;
  for (;;) {
    const first = longer.messages[0];
    if (!longer.hasOlder || first === undefined || longer.messages.some(isOwnMessage)) return longer;
    const page = await reader.readOlderPage(longer.conversation.id, first.seq);
    longer = withOlderPage(longer, page.messages, page.hasOlder);
  }
}
