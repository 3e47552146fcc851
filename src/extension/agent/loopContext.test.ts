import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestFolder } from '../../../test/support/agent/testTools';
import { toolsOf, TurnTalk } from '../../../test/support/agent/turnTalk';
import { callTool, failWith, holdUntil, say } from '../../../test/support/ollama/chatStep';
import type { ChatRequest } from '../../../test/support/ollama/chatRequest';

/** A small window, so that it fills soon. */
const WINDOW = 4_096;
const LONG = 'A thought that is not short. '.repeat(80);

let talk: TurnTalk;

beforeEach(async () => {
  talk = await TurnTalk.start({ tools: toolsOf(new TestFolder().tools), contextLength: WINDOW });
});

afterEach(async () => {
  expect(talk.faults).toEqual([]);
  await talk.server.close();
});

const isSummary = (request: ChatRequest): boolean => JSON.stringify(request).includes('Write the summary now.');

function summaries(): number {
  return talk.server.chats.filter((chat) => isSummary(chat.chat)).length;
}

/** Steps that each say much and call, then an answer. */
function manySteps(steps: number): void {
  for (let step = 0; step < steps; step += 1) {
    talk.server.scriptFor((request) => !isSummary(request), say(LONG), callTool('read_file', { path: 'a.ts', step }));
  }
  talk.server.scriptFor((request) => !isSummary(request), say('Done.'));
}

describe('a conversation that is too much for the window', () => {
  it('7.7 context: is summarised at the border of a step, and the turn goes on with the summary', async () => {
    manySteps(12);
    talk.server.fallback = () => say('They read files.');
    await talk.ask();
    expect(talk.lastAnswer).toMatchObject({ status: 'done', parts: [{ type: 'text', text: 'Done.' }] });
    expect(summaries()).toBeGreaterThan(0);
    expect(summaries()).toBeLessThan(6);
    expect(talk.recorder.steps).toContainEqual({ kind: 'compacting' });
    expect(talk.messages.filter((message) => message.origin === 'host')).toHaveLength(summaries());
    expect(JSON.stringify(talk.sent(-1))).toContain('They read files.');
  });

  it.each([
    ['the model writes none', []],
    [
      'the model does not stop writing',
      say(...Array.from({ length: 400 }, () => '请用中文说明历史记录是怎样保存的。')),
    ],
  ] as const)('7.7 context: never becomes full of its summary, also when %s', async (_, summary) => {
    talk.server.fallback = () => summary;
    for (let turn = 0; turn < 14; turn += 1) {
      talk.server.scriptFor((request) => !isSummary(request), say('OK.'));
      await talk.ask(`${turn} ${'请用中文说明历史记录是怎样保存的，并指出最重要的限制。'.repeat(10)}`, {
        contextLength: 2_048,
      });
    }
    expect(summaries()).toBeGreaterThan(1);
    expect(new Set(talk.told)).toEqual(new Set(['done | text OK.']));
  });

  it('7.7 context: is left alone while there is room', async () => {
    manySteps(1);
    await talk.ask();
    expect(summaries()).toBe(0);
  });

  it('7.7 context: Stop ends the turn while it is summarised, visibly', async () => {
    manySteps(12);
    talk.server.fallback = () => [holdUntil(new Promise(() => undefined))];
    const turn = talk.ask();
    const request = await talk.server.nextRequest((sent) =>
      JSON.stringify(sent.body).includes('Write the summary now.'),
    );
    talk.stop();
    await turn;
    await request.closed;
    expect(talk.told.at(-1)).toBe('stopped stop');
  });

  it('7.7 context: a question that can never fit ends the turn without a request', async () => {
    await talk.ask('word '.repeat(10_000));
    expect(talk.told).toEqual(['failed context_full']);
    expect(talk.server.chats).toEqual([]);
  });
});

describe('a prompt that the server finds too long', () => {
  const tooLong = failWith('the input length exceeds the context length', { status: 400 });

  it('7.7 overflow: is made smaller and sent once more, and stays smaller for the turn', async () => {
    manySteps(1);
    await talk.ask('First.');
    manySteps(1);
    await talk.ask('Second.');
    talk.server.scriptFor((request) => !isSummary(request), tooLong);
    talk.server.scriptFor((request) => !isSummary(request), say('Yes.'));
    talk.server.fallback = () => say('They read files.');
    await talk.ask('Third.');
    expect(talk.told.slice(-2)).toEqual(['failed overflow', 'done | text Yes.']);
    expect(summaries()).toBe(1);
  });

  it('7.7 overflow: is sent once more in less room also when nothing can be summarised', async () => {
    talk.server.script(tooLong);
    talk.server.script(say('Yes.'));
    await talk.ask('Short.');
    expect(talk.told).toEqual(['failed overflow', 'done | text Yes.']);
  });

  it('7.7 overflow: ends the turn when it still is too long', async () => {
    talk.server.script(tooLong);
    talk.server.script(tooLong);
    await talk.ask('Short.');
    expect(talk.told).toEqual(['failed overflow', 'failed overflow']);
    expect(talk.server.chats).toHaveLength(2);
  });
});
