import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestFolder } from '../../../test/support/agent/testTools';
import { toolsOf, TurnTalk } from '../../../test/support/agent/turnTalk';
import { callTool, done, failWith, say, think } from '../../../test/support/ollama/chatStep';
import type { Compaction } from './compaction';
import type { PreparedRequest } from './request';
import type { TurnInput } from './turn';

/**
 * When the loop asks for compaction, and what it makes of the answer. What compaction does and when there is too much
 * is shown beside it: here both are said by the test.
 */
const context = vi.hoisted(() => ({
  over: (): boolean => false,
  compact: (): Promise<Compaction> => Promise.resolve({ kind: 'nothing' }),
  compactions: [] as number[],
  fits: true,
}));

vi.mock('./compaction', () => ({
  isOverThreshold: () => context.over(),
  compact: (input: TurnInput) => {
    context.compactions.push(input.recorder.transcript.messages.length);
    return context.compact();
  },
}));

vi.mock('./request', async (importOriginal) => {
  const original = await importOriginal<{ prepareRequest: (...args: unknown[]) => PreparedRequest }>();
  return {
    prepareRequest: (...args: unknown[]) => ({ ...original.prepareRequest(...args), fits: context.fits }),
  };
});

let talk: TurnTalk;

beforeEach(async () => {
  Object.assign(context, {
    over: () => false,
    compact: () => Promise.resolve({ kind: 'nothing' }),
    compactions: [],
    fits: true,
  });
  talk = await TurnTalk.start({ tools: toolsOf(new TestFolder().tools) });
});

afterEach(async () => {
  expect(talk.faults).toEqual([]);
  await talk.server.close();
});

describe('a conversation that is too much for the window', () => {
  it('7.7 context: is made smaller once at each border of a step, and never in a loop', async () => {
    context.over = () => true;
    talk.server.script(callTool('read_file', { path: 'a.ts' }));
    talk.server.script(say('It is 1.'));
    await talk.ask();
    // Before the first answer, and between the first and the second: no message was open.
    expect(context.compactions).toEqual([1, 2]);
    expect(talk.recorder.steps[0]).toEqual({ kind: 'compacting' });
    expect(talk.lastAnswer.status).toBe('done');
  });

  it('7.7 context: is left alone while there is room', async () => {
    talk.server.script(say('Yes.'));
    await talk.ask();
    expect(context.compactions).toEqual([]);
  });

  it('7.7 context: Stop ends the turn while it is made smaller, visibly, and nothing is sent', async () => {
    context.over = () => true;
    context.compact = () => {
      talk.stop();
      return Promise.resolve({ kind: 'stopped' });
    };
    await talk.ask();
    expect(talk.told).toEqual(['stopped stop']);
    expect(talk.server.chats).toEqual([]);
  });

  it('7.7 context: a question that can never fit ends the turn without a request', async () => {
    context.fits = false;
    await talk.ask();
    expect(talk.told).toEqual(['failed context_full']);
    expect(talk.server.chats).toEqual([]);
  });
});

describe('a prompt that the server finds too long', () => {
  const tooLong = failWith('the input length exceeds the context length', { status: 400 });

  it('7.7 overflow: is made smaller and sent once more', async () => {
    context.compact = () => Promise.resolve({ kind: 'compacted' });
    talk.server.script(tooLong);
    talk.server.script(say('Yes.'));
    await talk.ask();
    expect(context.compactions).toEqual([2]);
    expect(talk.told).toEqual(['failed overflow', 'done | text Yes.']);
  });

  it('7.7 overflow: ends the turn when it still is, or when nothing could be left out', async () => {
    context.compact = () => Promise.resolve({ kind: 'compacted' });
    talk.server.script(tooLong);
    talk.server.script(tooLong);
    await talk.ask();
    expect(talk.told).toEqual(['failed overflow', 'failed overflow']);
    context.compact = () => Promise.resolve({ kind: 'nothing' });
    talk.server.script(tooLong);
    await talk.ask();
    expect(talk.told.slice(2)).toEqual(['failed overflow']);
    expect(context.compactions).toHaveLength(2);
  });

  it('7.7 overflow: Stop while it is made smaller is told', async () => {
    context.compact = () => {
      talk.stop();
      return Promise.resolve({ kind: 'stopped' });
    };
    talk.server.script(tooLong);
    await talk.ask();
    expect(talk.told).toEqual(['failed overflow', 'stopped stop']);
  });
});

describe('an answer that the window cut off', () => {
  it('6 only thinking: when that was for lack of room, there is more before the next attempt', async () => {
    let asked = 0;
    // Not at the border before the step, but after its first attempt.
    context.over = () => {
      asked += 1;
      return asked === 2;
    };
    context.compact = () => Promise.resolve({ kind: 'compacted' });
    talk.server.script(think('on and on'), done({ done_reason: 'length', eval_count: 9 }));
    talk.server.script(say('Yes.'));
    await talk.ask();
    expect(context.compactions).toEqual([2]);
    expect(talk.told).toEqual(['failed empty | thinking on and on', 'done | text Yes.']);
  });
});
