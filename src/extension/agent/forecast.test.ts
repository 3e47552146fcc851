import { describe, expect, it } from 'vitest';
import { answered, compacted, question } from '../../../test/support/agent/messages';
import { turnInput } from '../../../test/support/agent/turnInput';
import type { Message } from '../../protocol/message';
import { meterOfTranscript } from './contextMeter';
import { meterNow, prepareRequest } from './request';
import { estimateTokens } from './tokens';

const LONG = 'some words of a long answer '.repeat(2_000);
const LONG_TOKENS = estimateTokens(LONG);

/** An answer with the figures of a server that counts as is estimated here. */
function counted(before: readonly Message[], answer: Message, rate = 1): Message {
  const { estimatedTokens } = prepareRequest(turnInput(before));
  const text = answer.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const usage = { promptTokens: Math.round(estimatedTokens * rate), answerTokens: estimateTokens(text) };
  return { ...answer, usage: { ...usage, estimatedTokens } };
}

/** Questions at odd places, each with its answer. */
function talk(...answers: readonly string[]): readonly Message[] {
  return answers.reduce<readonly Message[]>((messages, text) => {
    const asked = [...messages, question(messages.length + 1, 'And?')];
    return [...asked, counted(asked, answered(asked.length + 1, text))];
  }, []);
}

/** What the next request is expected to take, beside what is estimated of it without any figures. */
function expected(messages: readonly Message[]): { readonly tokens: number; readonly estimated: number } {
  const { meter, estimatedTokens } = prepareRequest(turnInput(messages));
  return { tokens: meter.tokens, estimated: estimatedTokens };
}

describe('what the next prompt is expected to take', () => {
  it('holds an answer that was stopped, which has no figures', () => {
    const stopped: Message = { ...answered(4, LONG), status: 'aborted', reason: 'stop' };
    const { tokens, estimated } = expected([...talk('Yes.'), question(3, 'Why?'), stopped, question(5, 'Go on.')]);
    expect(tokens).toBeGreaterThan(LONG_TOKENS);
    expect(Math.abs(tokens - estimated)).toBeLessThan(0.02 * estimated);
  });

  it('does not count an answer twice when the one after it was stopped', () => {
    const stopped: Message = { ...answered(4, 'No'), status: 'aborted', reason: 'stop' };
    const { tokens, estimated } = expected([...talk(LONG), question(3, 'Why?'), stopped, question(5, 'Go on.')]);
    expect(Math.abs(tokens - estimated)).toBeLessThan(0.02 * estimated);
  });

  it('holds the answer before the one that is asked for anew', () => {
    const { tokens, estimated } = expected(talk(LONG, 'Yes.'));
    expect(tokens).toBeGreaterThan(LONG_TOKENS);
    expect(Math.abs(tokens - estimated)).toBeLessThan(0.02 * estimated);
  });

  it('does not hold the answer that is asked for anew', () => {
    expect(expected(talk('Yes.', LONG)).tokens).toBeLessThan(100);
  });

  it('is not what another model counted', () => {
    const asked = [question(1, LONG)];
    const messages = [...asked, counted(asked, answered(2, 'Yes.'), 2)];
    const same = meterNow(turnInput(messages));
    expect(same.reported).toBe(true);
    expect(same.tokens).toBeGreaterThan(1.9 * LONG_TOKENS);
    const other = meterNow(turnInput(messages, { model: 'another' }));
    expect(other.reported).toBe(false);
    expect(other.tokens).toBeLessThan(1.1 * LONG_TOKENS);
  });
});

describe('what an opened conversation takes', () => {
  it('holds an answer that was stopped, without its thinking', () => {
    const parts = [
      { type: 'thinking', text: LONG, startedAt: 4, endedAt: 4 },
      { type: 'text', text: LONG },
    ] as const;
    const stopped: Message = { ...answered(4, ''), parts, status: 'aborted', reason: 'stop' };
    const meter = meterOfTranscript([...talk('Yes.'), question(3, 'Why?'), stopped], {});
    expect(meter?.tokens).toBeGreaterThan(LONG_TOKENS);
    expect(meter?.tokens).toBeLessThan(1.1 * LONG_TOKENS);
  });

  it('is not known after a summary, until the server has counted what is told then', () => {
    const messages = [...talk(LONG, 'Yes.'), compacted(5, 2, 'Words.')];
    expect(meterOfTranscript(messages, {})).toBeUndefined();
  });
});
