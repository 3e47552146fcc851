import { describe, expect, it } from 'vitest';
import { FoldedRecorder } from '../../../test/support/agent/foldedRecorder';
import { systemClock } from '../base/clock';
import { ANSWER_CHARS, PARTS_PER_MESSAGE } from '../base/limits';
import type { ModelEvent, ModelToolCall } from '../ollama/modelClient';
import { recordAnswer, type AnswerEnd } from './answer';

function openRecorder(): FoldedRecorder {
  return new FoldedRecorder([{ seq: 1, role: 'assistant', status: 'streaming', createdAt: 0, parts: [] }]);
}

async function* stream(events: readonly ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}

const end: ModelEvent = { type: 'end', reason: 'stop', usage: {} };

function recorded(recorder: FoldedRecorder, events: readonly ModelEvent[]): Promise<AnswerEnd> {
  const place = { seq: 1, recorder, clock: systemClock, repair: (call: ModelToolCall) => call, offers: () => true };
  return recordAnswer(stream(events), place, new AbortController().signal);
}

describe('an answer', () => {
  it('that changes between thinking and text without end stays within the parts of a message, and loses no word', async () => {
    const events = Array.from({ length: 1_000 }, (_, index): ModelEvent => ({
      type: index % 2 === 0 ? 'thinking' : 'text',
      text: `${index} `,
    }));
    const recorder = openRecorder();
    await recorded(recorder, [...events, end]);
    const parts = recorder.transcript.messages[0]?.parts ?? [];
    expect(parts.length).toBe(PARTS_PER_MESSAGE);
    for (const type of ['thinking', 'text'] as const) {
      const words = parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
      expect(words).toBe(events.flatMap((event) => (event.type === type ? [event.text] : [])).join(''));
    }
  });

  it('that calls after too many changes stays within what the file holds, and says which call was not run', async () => {
    const words = Array.from({ length: 300 }, (_, index): ModelEvent => ({
      type: index % 2 === 0 ? 'thinking' : 'text',
      text: `${index} `,
    }));
    const calls = Array.from({ length: 120 }, (_, index): ModelEvent => ({
      type: 'tool_call',
      call: { id: '', name: 'read_file', arguments: { index } },
    }));
    const recorder = openRecorder();
    const answer = await recorded(recorder, [...words.slice(0, 230), ...calls, ...words.slice(230), end]);
    const parts = recorder.transcript.messages[0]?.parts ?? [];
    expect(answer.calls).toHaveLength(PARTS_PER_MESSAGE - 230);
    expect(parts[PARTS_PER_MESSAGE]).toMatchObject({ type: 'tool', state: 'error' });
    expect(parts.length).toBeLessThanOrEqual(251);
  });

  it('is closed at its limit, between characters, with everything before it', async () => {
    const recorder = openRecorder();
    const text = `x${'👋'.repeat(ANSWER_CHARS / 4)}`;
    const answer = await recorded(recorder, [{ type: 'thinking', text }, { type: 'text', text }, end]);
    expect(answer.kind).toBe('too_long');
    const parts = recorder.transcript.messages[0]?.parts ?? [];
    const words = parts.map((part) => ('text' in part ? part.text : '')).join('');
    expect(words.length).toBeGreaterThan(ANSWER_CHARS - 2);
    expect(`${text}${text}`.startsWith(words)).toBe(true);
    expect(words.isWellFormed()).toBe(true);
  });

  it('that turns out to have been thinking is thinking in its place, and what follows is text', async () => {
    const recorder = openRecorder();
    const answer = await recorded(recorder, [
      { type: 'text', text: 'Let me' },
      { type: 'text', text: ' see.' },
      { type: 'text_was_thinking' },
      { type: 'text', text: 'Yes.' },
      end,
    ]);
    expect(answer).toMatchObject({ text: 'Yes.', thought: true });
    expect(recorder.transcript.messages[0]?.parts).toMatchObject([
      { type: 'thinking', text: 'Let me see.', endedAt: expect.any(Number) as number },
      { type: 'text', text: 'Yes.' },
    ]);
  });
});
