import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestFolder } from '../../../test/support/agent/testTools';
import { toolsOf, TurnTalk } from '../../../test/support/agent/turnTalk';
import {
  bareDone,
  callTool,
  cutOff,
  done,
  failWith,
  holdUntil,
  resetConnection,
  say,
  think,
  type ChatStep,
} from '../../../test/support/ollama/chatStep';
import { ANSWER_CHARS } from '../base/limits';
import { ANSWER_OR_CALL, DO_IT, SMALLER_STEPS } from './hints';

let talk: TurnTalk;

beforeEach(async () => {
  talk = await TurnTalk.start({ tools: toolsOf(new TestFolder().tools), think: true });
});

afterEach(async () => {
  expect(talk.faults).toEqual([]);
  await talk.server.close();
});

/** The last words of a request. */
function lastSent(index: number): string | undefined {
  return talk.sent(index).at(-1)?.content;
}

/** Whether a request asked for thinking. */
function askedToThink(): readonly boolean[] {
  return talk.server.chats.map(({ chat }) => chat.think !== undefined && chat.think !== false);
}

const cutByLength = done({ done_reason: 'length', eval_count: 40 });

describe('leaked thinking', () => {
  it.each<readonly [string, ChatStep[], string]>([
    [
      'a leading block, split',
      say('<th', 'ink>let me', ' see</thi', 'nk>\n\nYes.'),
      'done | thinking let me see | text Yes.',
    ],
    [
      'a closing tag alone',
      say('Let me', ' see.\n</th', 'ink>\n\n', 'Yes.'),
      'done | thinking Let me see.\n | text Yes.',
    ],
    ['an empty block without its opening', say('</think>\n\nYes.'), 'done | text Yes.'],
    ['a tag in code', say('```\n</think>\n```\n`<think>`'), 'done | text ```\n</think>\n```\n`<think>`'],
    ['a tag that is spoken of', say('It ends with </think> there.'), 'done | text It ends with </think> there.'],
    ['a tag later on', say('Yes.\n\n<think>'), 'done | text Yes.\n\n<think>'],
    ['the field for it', [...think('Let me'), ...say('Yes.')], 'done | thinking Let me | text Yes.'],
  ])('6 <think> in content: %s', async (_, steps, told) => {
    talk.server.script(...steps);
    await talk.ask();
    expect(talk.told).toEqual([told]);
  });

  it('6 <think> in content: it is never sent back as content, and after a call it is known anew', async () => {
    talk.server.script(
      say('Which file?\n</think>\n\nReading.'),
      callTool('read_file', { path: 'a.ts' }),
      say('<think>And then'),
    );
    talk.server.script(say('It is 1.'));
    await talk.ask();
    expect(talk.told[0]).toBe(
      'done | thinking Which file?\n | text Reading. | read_file({"path":"a.ts"}) done | thinking And then',
    );
    expect(
      talk
        .sent(1)
        .map(({ content }) => content)
        .join('\n'),
    ).not.toMatch(/think|Which file|And then/);
  });

  it('6 <think> in content: a block that never ends is thinking, and the answer is empty', async () => {
    talk.server.script(say('<think>on and on'));
    talk.server.script(say('Yes.'));
    await talk.ask();
    expect(talk.told).toEqual(['failed empty | thinking on and on', 'done | text Yes.']);
  });
});

describe('an empty answer', () => {
  it('6 empty message: it is asked for again, unchanged, and leaves no trace', async () => {
    talk.server.script(done({ eval_count: 7 }));
    talk.server.script(say('Yes.'));
    await talk.ask();
    expect(talk.told).toEqual(['done | text Yes.']);
    expect(talk.server.chats[1]?.body).toEqual(talk.server.chats[0]?.body);
  });

  it('6 empty message: the second time the model is told, and not asked to think', async () => {
    talk.server.script(bareDone());
    talk.server.script(say(' \n'));
    talk.server.script(say('Yes.'));
    await talk.ask();
    expect(lastSent(2)).toContain(ANSWER_OR_CALL);
    expect(askedToThink()).toEqual([true, true, false]);
    expect(talk.lastAnswer.status).toBe('done');
  });

  it('6 empty message: the third time the turn ends, and says so', async () => {
    for (let times = 0; times < 3; times += 1) talk.server.script(bareDone());
    await talk.ask();
    expect(talk.told).toEqual(['failed empty']);
    expect(talk.server.chats).toHaveLength(3);
  });

  it.each(['stop', 'length'])('6 only thinking: then %s, it is an empty answer too', async (reason) => {
    talk.server.script(think('hm'), done({ done_reason: reason, eval_count: 9 }));
    talk.server.script(think('so'), done({ done_reason: reason, eval_count: 9 }));
    talk.server.script(think('well'), done({ done_reason: reason, eval_count: 9 }));
    await talk.ask();
    expect(talk.told).toEqual([
      'failed empty | thinking hm',
      'failed empty | thinking so',
      'failed empty | thinking well',
    ]);
    expect(lastSent(2)).toContain(ANSWER_OR_CALL);
    expect(askedToThink()).toEqual([true, true, false]);
  });

  it('6 empty message: between calls, what was done before stays', async () => {
    talk.server.script(callTool('read_file', { path: 'a.ts' }));
    talk.server.script(bareDone());
    talk.server.script(say('It is 1.'));
    await talk.ask();
    expect(talk.told).toEqual(['done | read_file({"path":"a.ts"}) done', 'done | text It is 1.']);
    expect(lastSent(2)).toBe('export const a = 1');
  });
});

describe('an answer cut off by length', () => {
  it('6 call cut by length: an empty rest is dropped, and the model is told to work in smaller steps', async () => {
    talk.server.script(cutByLength);
    talk.server.script(say('In parts, then.'));
    await talk.ask();
    expect(talk.told).toEqual(['done | text In parts, then.']);
    expect(lastSent(1)).toContain(SMALLER_STEPS);
  });

  it.each([
    '{"name": "write_file", "arguments": {"path": "a.ts", "content": "expo',
    '<tool_call>\n{"name": "write_file", "arg',
    'Now I write it.\n<function=write_file><parameter=path>a.ts</parameter><parameter=content>ex',
  ])('6 call cut by length: half of one as text is dropped as well: %j', async (half) => {
    talk.server.script(say(half), cutByLength);
    talk.server.script(say('In parts, then.'));
    await talk.ask();
    expect(talk.told).toEqual([`cut off length | text ${half}`, 'done | text In parts, then.']);
    expect(talk.answers[0]?.status).toBe('error');
    expect(lastSent(1)).toContain(SMALLER_STEPS);
  });

  it('6 call cut by length: the second time the turn ends, and says so', async () => {
    talk.server.script(cutByLength);
    talk.server.script(cutByLength);
    await talk.ask();
    expect(talk.told).toEqual(['cut off length']);
    expect(talk.lastAnswer).toMatchObject({ status: 'error', reason: 'length' });
  });

  it('6 call cut by length: calls that are whole are run', async () => {
    talk.server.script(callTool('read_file', { path: 'a.ts' }), cutByLength);
    talk.server.script(say('It is 1.'));
    await talk.ask();
    expect(talk.told).toEqual(['done | read_file({"path":"a.ts"}) done', 'done | text It is 1.']);
  });

  it('is kept when it is text, as done and cut off', async () => {
    talk.server.script(say('1 2 3'), cutByLength);
    await talk.ask();
    expect(talk.told).toEqual(['cut off length | text 1 2 3']);
    expect(talk.lastAnswer.status).toBe('done');
  });
});

describe('an announcement', () => {
  it('6 announces an action: the model is reminded, and goes on in the same answer', async () => {
    talk.server.script(say('I will now read a.ts.'));
    talk.server.script(callTool('read_file', { path: 'a.ts' }));
    talk.server.script(say('It is 1.'));
    await talk.ask();
    expect(talk.told).toEqual([
      'done | text I will now read a.ts. | read_file({"path":"a.ts"}) done',
      'done | text It is 1.',
    ]);
    expect(
      talk
        .sent(1)
        .slice(-2)
        .map(({ role, content }) => `${role} ${content}`),
    ).toEqual(['assistant I will now read a.ts.', `user ${DO_IT}`]);
  });

  it('6 announces an action: once in a turn, whatever comes of it', async () => {
    talk.server.script(say('I will now read a.ts.'));
    talk.server.script(say('Let me read b.ts.'));
    await talk.ask();
    expect(talk.told).toEqual(['done | text I will now read a.ts. | text Let me read b.ts.']);
  });

  it.each([
    ['is empty', [bareDone()]],
    ['fails', [failWith('an odd thing', { status: 500 })]],
  ])('6 announces an action: the answer stands as it was when the next one %s', async (_, steps) => {
    talk.server.script(say('I will now read a.ts.'));
    talk.server.script(...steps);
    await talk.ask();
    expect(talk.told).toEqual(['done | text I will now read a.ts.']);
  });

  it('6 announces an action: nobody is reminded of what no tool can do', async () => {
    talk.server.script(say('I will now read a.ts.'));
    await talk.ask('Hello', { tools: toolsOf([]) });
    expect(talk.server.chats).toHaveLength(1);
  });
});

describe('an answer without end', () => {
  it('6 repeated token: a stream that just ends is kept as cut off, and not asked for again', async () => {
    talk.server.script(say(...Array.from({ length: 31 }, () => 'la ')), cutOff());
    await talk.ask();
    expect(talk.told).toEqual([`cut off cut_off | text ${'la '.repeat(31)}`]);
    expect(talk.server.chats).toHaveLength(1);
  });

  it('6 repeated token: so is one that breaks in the middle', async () => {
    talk.server.script(say('The ans'), { wait: 30 }, resetConnection());
    await talk.ask();
    expect(talk.told).toEqual(['cut off cut_off | text The ans']);
  });

  it('6 endless text: it is closed at a limit of ours, and kept', async () => {
    const piece = 'x'.repeat(ANSWER_CHARS / 4);
    talk.server.script(say(piece, piece, piece, piece, 'y'), holdUntil(new Promise(() => undefined)));
    // As much as the model was trained with: in less, the window is full before.
    await talk.ask('Go on.', { contextLength: 131_072 });
    await talk.server.chats[0]?.closed;
    expect(talk.lastAnswer).toMatchObject({ status: 'error', reason: 'too_long' });
    const [part] = talk.lastAnswer.parts;
    expect(part?.type === 'text' && part.text.length).toBe(ANSWER_CHARS);
  });
});
