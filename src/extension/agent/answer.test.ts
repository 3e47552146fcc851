import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../protocol/ids';
import { fold, type Transcript } from '../../protocol/transcript';
import { systemClock } from '../base/clock';
import { PARTS_PER_MESSAGE } from '../base/limits';
import type { ModelEvent } from '../ollama/modelClient';
import { recordAnswer } from './answer';
import type { Recorder } from './recorder';

/** A recorder that only folds. */
function foldingRecorder(): Recorder {
  let transcript: Transcript = {
    conversation: { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ConversationId, kind: 'chat', title: '', createdAt: 0 },
    messages: [{ seq: 1, role: 'assistant', status: 'streaming', createdAt: 0, parts: [] }],
    hasOlder: false,
  };
  return {
    get transcript() {
      return transcript;
    },
    record: (event) => {
      const folded = fold(transcript, event);
      if (!folded.ok) throw new Error('does not fold');
      transcript = folded.transcript;
    },
    gate: () => Promise.resolve(),
    at: () => undefined,
    context: () => undefined,
  };
}

async function* stream(events: readonly ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}

describe('an answer', () => {
  it('that changes between thinking and text without end stays within the parts of a message, and loses no word', async () => {
    const events = Array.from({ length: 1_000 }, (_, index): ModelEvent => ({
      type: index % 2 === 0 ? 'thinking' : 'text',
      text: `${index} `,
    }));
    const recorder = foldingRecorder();
    const end: ModelEvent = { type: 'end', reason: 'stop', usage: {} };
    await recordAnswer(stream([...events, end]), 1, recorder, systemClock, new AbortController().signal);
    const parts = recorder.transcript.messages[0]?.parts ?? [];
    expect(parts.length).toBe(PARTS_PER_MESSAGE);
    for (const type of ['thinking', 'text'] as const) {
      const words = parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
      expect(words).toBe(events.flatMap((event) => (event.type === type ? [event.text] : [])).join(''));
    }
  });
});
