import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anyCall } from '../../../../test/support/storage/callParts';
import { createConversation, StoreFolder, write } from '../../../../test/support/storage/storeFolder';
import type { ClientId } from '../../../protocol/ids';
import type { EndReason, Message, MessageEnd } from '../../../protocol/message';
import type { Part } from '../../../protocol/part';
import { fold, type Transcript } from '../../../protocol/transcript';

const text = fc.string({ unit: 'binary', maxLength: 40 });
const count = fc.nat();
const image = fc
  .uint8Array({ minLength: 1, maxLength: 50 })
  .map((bytes) => ({ bytes: bytes.length, data: Buffer.from(bytes).toString('base64') }));

const anyPart: fc.Arbitrary<Part> = fc.oneof(
  anyCall,
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record(
    { type: fc.constant('thinking' as const), text, startedAt: count, endedAt: count },
    { requiredKeys: ['type', 'text', 'startedAt'] },
  ),
  fc
    .tuple(text, image)
    .map(([name, its]) => ({ type: 'attachment', kind: 'image', name, mediaType: 'image/png', ...its }) as const),
  fc.record({ type: fc.constant('notice' as const), kind: fc.constant('compaction' as const), text, covers: count }),
  fc
    .tuple(fc.constantFrom('voice', 'of a later build'), fc.dictionary(text, text))
    .map(([originalType, data]) => ({ type: 'unknown', originalType, json: JSON.stringify(data) }) as const),
);

const anyEnd: fc.Arbitrary<MessageEnd> = fc.record(
  {
    status: fc.constantFrom('done' as const, 'aborted' as const, 'error' as const),
    reason: fc.constantFrom<EndReason>('stop', 'crash', 'length', 'tool_errors', 'runner_stopped'),
    detail: text,
    usage: fc.record(
      { promptTokens: count, answerTokens: count, answerMs: count, estimatedTokens: count },
      { requiredKeys: [] },
    ),
    notes: fc.uniqueArray(
      fc.constantFrom('without_tools' as const, 'without_thinking' as const, 'prompt_cut' as const),
      {
        minLength: 1,
      },
    ),
    endedAt: count,
  },
  { requiredKeys: ['status', 'endedAt'] },
);

const anyMessage: fc.Arbitrary<Omit<Message, 'seq' | 'parts'>> = fc.record(
  {
    role: fc.constantFrom('user' as const, 'assistant' as const),
    status: fc.constant('streaming' as const),
    origin: fc.constant('host' as const),
    model: text,
    createdAt: count,
  },
  { requiredKeys: ['role', 'status', 'createdAt'] },
);

let folder: StoreFolder;

beforeEach(async () => {
  folder = await StoreFolder.make();
});

afterEach(() => folder.remove());

it('a message of any parts, grown or written whole, and ended in any way, is read as it was in memory', async () => {
  const store = await folder.open();
  const id = await createConversation(store);
  const drawn = fc.sample(
    fc.record({
      message: anyMessage,
      parts: fc.array(anyPart, { maxLength: 6 }),
      end: anyEnd,
      words: text,
      whole: fc.boolean(),
    }),
    { numRuns: 30, seed: 7 },
  );
  let transcript: Transcript = {
    conversation: { id, kind: 'chat', title: 'Title', createdAt: 1 },
    messages: [],
    hasOlder: false,
  };
  const happens = (event: Parameters<typeof fold>[1]): void => {
    const folded = fold(transcript, event);
    if (!folded.ok) throw new Error(`does not fold: ${event.type}`);
    transcript = folded.transcript;
    if (event.type === 'part_delta') void write(store, id, { ...event, type: 'delta', chunk: 0 });
    else if (event.type !== 'tool_output') void write(store, id, event);
  };
  for (const [index, { message, parts, end, words, whole }] of drawn.entries()) {
    const seq = index + 1;
    happens({
      type: 'message_added',
      message: { ...message, seq, clientId: `c${seq}` as ClientId, parts: whole ? parts : [] },
    });
    for (const [idx, part] of whole ? [] : parts.entries()) {
      happens({ type: 'part_set', seq, idx, part });
      if (part.type === 'text') happens({ type: 'part_delta', seq, idx, at: part.text.length, text: words });
    }
    happens({ type: 'message_ended', seq, end });
  }
  // Behind all the others.
  await write(store, id, { type: 'draft_set', text: '', at: 1 });
  let read: readonly Message[] = [];
  for (let hasOlder = true; hasOlder;) {
    const page = await store.reader.readOlderPage(id, read[0]?.seq ?? drawn.length + 1);
    read = [...page.messages, ...read];
    hasOlder = page.hasOlder;
  }
  expect(read).toEqual(transcript.messages);
});
