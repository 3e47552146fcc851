import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestFolder } from '../../../test/support/agent/testTools';
import { toolsOf, TurnTalk } from '../../../test/support/agent/turnTalk';
import { bareDone, callTool, failWith, say } from '../../../test/support/ollama/chatStep';
import { REPEATS_ENDED, STEPS_PER_TURN } from '../base/limits';
import { NO_MORE_CALLS, NOT_REPEATED, SAY_WHAT_IS_MISSING, STOP_REPEATING, SUM_UP } from './hints';

let talk: TurnTalk;
let folder: TestFolder;

beforeEach(async () => {
  folder = new TestFolder();
  talk = await TurnTalk.start({ tools: toolsOf(folder.tools) });
});

afterEach(async () => {
  expect(talk.faults).toEqual([]);
  await talk.server.close();
});

/** The tools and the last words of the last request. */
function lastAsked(): { readonly tools: number; readonly words: string | undefined } {
  return { tools: talk.server.chats.at(-1)?.chat.tools?.length ?? 0, words: talk.sent(-1).at(-1)?.content };
}

/** Queues answers that call, one after the other, and then an answer in words. */
function queueCalls(...calls: readonly (readonly [name: string, args: Record<string, string>])[]): void {
  for (const [name, args] of calls) talk.server.script(callTool(name, args));
  talk.server.script(say('That is all I know.'));
}

const read = (path: string): [string, Record<string, string>] => ['read_file', { path }];
const write = (path: string, content: string): [string, Record<string, string>] => ['write_file', { path, content }];

describe('the same call again and again', () => {
  it('6 same call forever: the third is warned about and answered without running it again', async () => {
    queueCalls(read('a.ts'), read('a.ts'), read('a.ts'));
    await talk.ask();
    expect(folder.done).toEqual(['read a.ts', 'read a.ts']);
    const [first, second, third] = talk.calls.map((call) => call.result?.content ?? '');
    expect(second).toBe(first);
    expect(third).toContain(`${first}\n\n`);
    expect(third).toContain('3 times in a row');
    expect(talk.lastAnswer).toMatchObject({ status: 'done' });
    expect(talk.lastAnswer.reason).toBeUndefined();
  });

  it('6 same call forever: the fifth ends the turn, with a last answer in words', async () => {
    queueCalls(read('a.ts'), read('a.ts'), read('a.ts'), read('a.ts'), read('a.ts'));
    await talk.ask();
    expect(talk.calls.at(-1)).toMatchObject({ state: 'error', result: { content: NOT_REPEATED } });
    expect(lastAsked()).toEqual({ tools: 0, words: STOP_REPEATING });
    expect(talk.told.at(-1)).toBe('done repeated_calls | text That is all I know.');
  });

  it('6 same call forever: whatever the order of the arguments', async () => {
    talk.server.script(callTool('read_file', { path: 'a.ts', limit: 1 }));
    talk.server.script(callTool('read_file', { limit: 1, path: 'a.ts' }));
    talk.server.script(callTool('functions.read_file', { limit: '1', path: 'a.ts' }));
    talk.server.script(say('It is 1.'));
    await talk.ask();
    expect(talk.calls.at(-1)?.result?.content).toContain('3 times in a row');
  });

  it('6 same call forever: in one answer as well', async () => {
    talk.server.script(...Array.from({ length: 6 }, () => callTool('read_file', { path: 'a.ts' })));
    talk.server.script(say('It is 1.'));
    await talk.ask();
    expect(talk.calls.map((call) => call.state)).toEqual(['done', 'done', 'done', 'done', 'error', 'error']);
    expect(talk.lastAnswer.reason).toBe('repeated_calls');
  });

  it.each([2, 3])('6 same call forever: cycles of %s are noticed', async (period) => {
    const cycle = [read('a.ts'), read('b.ts'), read('c.ts')].slice(0, period);
    queueCalls(...Array.from({ length: 5 }, () => cycle).flat());
    await talk.ask();
    const warned = talk.calls.findIndex((call) => call.result?.content.includes('3 times in a row') === true);
    expect(warned).toBe(3 * period - 1);
    expect(talk.calls).toHaveLength(5 * period);
    expect(talk.lastAnswer).toMatchObject({ status: 'done', reason: 'repeated_calls' });
  });

  it('6 same call forever: with something else in between, it is run again', async () => {
    queueCalls(
      read('a.ts'),
      write('a.ts', '1'),
      read('a.ts'),
      write('a.ts', '2'),
      read('a.ts'),
      write('a.ts', '3'),
      read('a.ts'),
    );
    await talk.ask();
    expect(folder.done.filter((line) => line === 'read a.ts')).toHaveLength(4);
    expect(talk.lastAnswer.reason).toBeUndefined();
  });

  it('6 same call forever: what has effects is run though it is warned about, and never answered from memory', async () => {
    queueCalls(write('a.ts', '1'), write('a.ts', '1'), write('a.ts', '1'));
    await talk.ask();
    expect(folder.done.filter((line) => line === 'wrote a.ts')).toHaveLength(3);
    expect(talk.calls.at(-1)?.result?.content).toContain('3 times in a row');
  });

  it('6 same call forever: an answer that changes is asked for again', async () => {
    const answers = ['1', '2', '3', '4'];
    folder.pause = async () => {
      folder.files.set('a.ts', answers.shift() ?? '');
      await Promise.resolve();
    };
    queueCalls(read('a.ts'), read('a.ts'), read('a.ts'), read('a.ts'));
    await talk.ask();
    expect(folder.done).toHaveLength(4);
  });

  it('6 same call forever: what answers something new each time is looked at as often as the model likes', async () => {
    let printed = 0;
    folder.pause = async () => {
      printed += 1;
      folder.files.set('a.ts', `line ${printed}`);
      await Promise.resolve();
    };
    queueCalls(...Array.from({ length: REPEATS_ENDED + 3 }, () => read('a.ts')));
    await talk.ask();
    expect(talk.calls.map((call) => call.result?.content)).toEqual(
      Array.from({ length: REPEATS_ENDED + 3 }, (_, index) => `line ${index + 1}`),
    );
    expect(talk.lastAnswer.reason).toBeUndefined();
  });

  it('6 same call forever: it is counted from the last answer that was new', async () => {
    let printed = 0;
    folder.pause = async () => {
      printed = Math.min(printed + 1, 4);
      folder.files.set('a.ts', `line ${printed}`);
      await Promise.resolve();
    };
    queueCalls(...Array.from({ length: 4 + REPEATS_ENDED }, () => read('a.ts')));
    await talk.ask();
    expect(talk.calls).toHaveLength(4 + REPEATS_ENDED);
    expect(talk.lastAnswer.reason).toBe('repeated_calls');
  });

  it('6 same call forever: what has effects is no news, whatever it answers', async () => {
    folder.pause = () => Promise.resolve(void folder.files.set('its output', `took ${folder.done.length} ms`));
    queueCalls(...Array.from({ length: REPEATS_ENDED }, () => ['run_command', { command: 'make' }] as const));
    await talk.ask('Go on.', { tools: toolsOf(folder.allTools) });
    expect(talk.calls).toHaveLength(REPEATS_ENDED);
    expect(talk.lastAnswer.reason).toBe('repeated_calls');
  });
});

describe('calls that fail', () => {
  it('7.1 tool errors: five in a row end the turn, with a last answer in words', async () => {
    queueCalls(read('1'), read('2'), ['open_browser', { url: 'x' }], ['read_file', {}], read('5'));
    await talk.ask();
    expect(talk.calls).toHaveLength(5);
    expect(lastAsked()).toEqual({ tools: 0, words: SAY_WHAT_IS_MISSING });
    expect(talk.told.at(-1)).toBe('done tool_errors | text That is all I know.');
  });

  it('7.1 tool errors: one that goes well begins the count anew', async () => {
    queueCalls(read('1'), read('2'), read('3'), read('4'), read('a.ts'), read('5'));
    await talk.ask();
    expect(talk.lastAnswer).toMatchObject({ status: 'done' });
    expect(talk.lastAnswer.reason).toBeUndefined();
  });

  it('7.1 tool errors: many in one answer are told to the model first', async () => {
    talk.server.script(...['1', '2', '3', '4', '5', '6'].map((path) => callTool('read_file', { path })));
    talk.server.script(say('There is nothing.'));
    await talk.ask();
    expect(talk.lastAnswer.reason).toBeUndefined();
    expect(talk.server.chats[1]?.chat.tools).toHaveLength(2);
  });
});

describe('a turn of many steps', () => {
  /** Answers each request with a call that differs from the ones before. */
  function callForever(): void {
    let step = 0;
    talk.server.fallback = (request) => {
      step += 1;
      if (request.tools === undefined || request.tools.length === 0) return say('I read much.');
      return [callTool('write_file', { path: 'a.ts', content: String(step) })];
    };
  }

  it('7.1 limit of requests: ends at its limit with a last answer, not with a failure', async () => {
    callForever();
    await talk.ask();
    expect(talk.server.chats).toHaveLength(STEPS_PER_TURN + 1);
    expect(talk.lastAnswer).toMatchObject({ status: 'done', reason: 'step_limit', detail: String(STEPS_PER_TURN) });
  });

  it('7.9 final turn: that answer is asked for without tools, with a word on what is wanted', async () => {
    callForever();
    await talk.ask();
    expect(lastAsked()).toEqual({ tools: 0, words: SUM_UP });
    expect(talk.lastAnswer.parts).toEqual([{ type: 'text', text: 'I read much.' }]);
  });

  it('7.9 final turn: calls in it are not run', async () => {
    queueFailures();
    talk.server.script(say('Once more.'), callTool('read_file', { path: 'a.ts' }));
    await talk.ask();
    expect(folder.done).not.toContain('read a.ts');
    expect(talk.calls.at(-1)).toMatchObject({ state: 'error', result: { content: NO_MORE_CALLS } });
    expect(talk.lastAnswer).toMatchObject({ status: 'done', reason: 'tool_errors' });
  });

  it('7.9 final turn: when it stays empty the limit is told all the same', async () => {
    queueFailures();
    for (let times = 0; times < 3; times += 1) talk.server.script(bareDone());
    await talk.ask();
    expect(talk.lastAnswer).toMatchObject({ status: 'error', reason: 'tool_errors' });
  });

  it('7.9 final turn: when the server fails, it is that which is told', async () => {
    queueFailures();
    talk.server.script(failWith('an odd thing'));
    await talk.ask();
    expect(talk.lastAnswer).toMatchObject({ status: 'error', reason: 'server_error' });
  });

  function queueFailures(): void {
    for (const path of ['1', '2', '3', '4', '5']) talk.server.script(callTool('read_file', { path }));
  }
});
