import type { ConversationId } from '../../../protocol/ids';
import type { Part } from '../../../protocol/part';
import { messageAt, type Transcript } from '../../../protocol/transcript';
import type { Reader } from '../../storage/reading/reader';

/** A conversation as far as it is in memory. */
interface InMemory {
  readonly id: ConversationId;
  readonly transcript: Transcript;
}

/** A part whole, from memory or else from the file; undefined when neither holds it. Throws StorageError. */
export async function partOf(
  { id, transcript }: InMemory,
  reader: Pick<Reader, 'readOlderPage'>,
  seq: number,
  idx: number,
): Promise<Part | undefined> {
  const message =
    messageAt(transcript.messages, seq) ?? messageAt((await reader.readOlderPage(id, seq + 1)).messages, seq);
  return message?.parts[idx];
}
