import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { question } from '../../../test/support/agent/messages';
import { TestFolder } from '../../../test/support/agent/testTools';
import { toolsOf, TurnTalk } from '../../../test/support/agent/turnTalk';
import {
  callTool,
  cutOff,
  done,
  failWith,
  replyWith,
  resetConnection,
  say,
  think,
  type ChatStep,
} from '../../../test/support/ollama/chatStep';
import { silentLog } from '../base/log';
import { OllamaClient } from '../ollama/ollamaClient';
import { VALID_JSON } from './hints';

let talk: TurnTalk;

beforeEach(async () => {
  talk = await TurnTalk.start({ tools: toolsOf(new TestFolder().tools) });
});

afterEach(async () => {
  expect(talk.faults).toEqual([]);
  await talk.server.close();
});

describe('a malformed call that the server refuses', () => {
  const texts = [
    `error parsing tool call: raw='{"path":"a.ts"}]', err=invalid character ']' after top-level value`,
    'failed to parse JSON: unexpected end of JSON input',
    'empty function name',
    'XML syntax error on line 3: unexpected EOF',
    'incomplete GLM tool call: missing </tool_call>',
    'llama-server returned invalid tool call arguments for "read_file": unexpected end of JSON input',
  ];

  it.each(texts)(
    '6 500 parse errors: %s is asked for again with the same history, and leaves no trace',
    async (text) => {
      talk.server.script(failWith(text));
      talk.server.script(say('Yes.'));
      await talk.ask();
      expect(talk.told).toEqual(['done | text Yes.']);
      expect(talk.server.chats[1]?.body).toEqual(talk.server.chats[0]?.body);
    },
  );

  it('6 500 parse errors: in the middle of an answer, what came is kept in a message of its own', async () => {
    talk.server.script(think('I should read it.'), failWith(texts[0] ?? ''));
    talk.server.script(say('Yes.'));
    await talk.ask();
    expect(talk.told).toEqual(['failed model_fault | thinking I should read it.', 'done | text Yes.']);
    expect(talk.answers[0]?.detail).toContain('error parsing tool call');
    expect(talk.sent(1)).toEqual(talk.sent(0));
  });

  it('6 500 parse errors: whole calls beside it are not run', async () => {
    talk.server.script(callTool('write_file', { path: 'a.ts', content: '' }), failWith(texts[0] ?? ''));
    talk.server.script(say('Yes.'));
    await talk.ask();
    expect(talk.calls.map((call) => call.state)).toEqual(['expired']);
  });

  it('6 500 parse errors: the fourth attempt has a hint, and after it the turn ends', async () => {
    for (let times = 0; times < 4; times += 1) talk.server.script(failWith(texts[1] ?? ''));
    await talk.ask();
    expect(talk.server.chats).toHaveLength(4);
    expect([1, 2, 3].map((index) => talk.sent(index).at(-1)?.content.endsWith(VALID_JSON))).toEqual([
      false,
      false,
      true,
    ]);
    expect(talk.told).toEqual(['failed model_fault']);
    expect(talk.lastAnswer.detail).toBe(texts[1]);
  });

  it('6 500 parse errors: what was done in earlier steps stays', async () => {
    talk.server.script(callTool('read_file', { path: 'a.ts' }));
    talk.server.script(failWith(texts[0] ?? ''));
    talk.server.script(say('It is 1.'));
    await talk.ask();
    expect(talk.sent(2)).toEqual(talk.sent(1));
    expect(talk.told).toEqual(['done | read_file({"path":"a.ts"}) done', 'done | text It is 1.']);
  });
});

describe('a request that fails before its answer', () => {
  it.each<readonly [string, ChatStep]>([
    ['a reset', resetConnection()],
    ['an answer that ends at once', cutOff()],
    ['502 of a proxy', replyWith(502, '<html>nginx</html>')],
    ['503', failWith('server busy, please try again.  maximum pending requests exceeded', { status: 503 })],
    ['504 of a proxy', replyWith(504, '<html>nginx</html>')],
    ['429', failWith('too many requests', { status: 429 })],
    [
      'a runner that stopped',
      failWith(
        'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details',
      ),
    ],
    ['a process that is gone', failWith('llama-server process has terminated: exit status 2')],
  ])('7.5 retry: after %s it is sent again, which is shown, and leaves no trace', async (_, step) => {
    talk.server.script(step);
    talk.server.script(say('Yes.'));
    const turn = talk.ask();
    await talk.letPausePass(1, 1_000);
    await turn;
    expect(talk.told).toEqual(['done | text Yes.']);
    expect(talk.server.chats[1]?.body).toEqual(talk.server.chats[0]?.body);
    expect(talk.recorder.steps).toContainEqual(expect.objectContaining({ kind: 'retrying', attempt: 1, of: 3 }));
  });

  it('7.5 retry: while nothing listens it is sent again, and goes through when the server is there', async () => {
    await talk.server.stop();
    const turn = talk.ask();
    await talk.letPausePass(1, 1_000);
    await talk.recorder.until(() => talk.recorder.steps.some((step) => step.kind === 'retrying' && step.attempt === 2));
    await talk.server.startAgain();
    talk.server.script(say('Yes.'));
    await talk.letPausePass(2, 2_000);
    await turn;
    expect(talk.told).toEqual(['done | text Yes.']);
    expect(talk.recorder.steps).toContainEqual({ kind: 'retrying', attempt: 1, of: 3, reason: 'unreachable' });
  });

  it('7.5 retry: three times, each pause twice as long, and then the turn ends', async () => {
    for (let times = 0; times < 4; times += 1) talk.server.script(failWith('server busy', { status: 503 }));
    const turn = talk.ask();
    for (const [index, ms] of [1_000, 2_000, 4_000].entries()) {
      await talk.letPausePass(index + 1, ms - 1);
      expect(talk.server.chats).toHaveLength(index + 1);
      talk.clock.advance(1);
    }
    await turn;
    expect(talk.server.chats).toHaveLength(4);
    expect(talk.told).toEqual(['failed busy']);
  });

  it('7.5 retry: a server that asks for a longer pause gets it', async () => {
    const slow = createServer((request, response) => {
      request.resume();
      response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '7' }).end('{"error":"slow down"}');
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as AddressInfo;
    const client = new OllamaClient(`http://127.0.0.1:${port}`, talk.clock, silentLog);
    const turn = talk.ask('Hello', { client });
    await talk.letPausePass(1, 6_999);
    expect(talk.recorder.steps.at(-1)).toMatchObject({ kind: 'retrying', attempt: 1, reason: 'rate_limited' });
    talk.clock.advance(1);
    await talk.letPausePass(2, 0);
    talk.stop();
    await turn;
    await new Promise((resolve) => slow.close(resolve));
  });

  it('7.5 retry: Stop ends a pause at once', async () => {
    talk.server.script(failWith('server busy', { status: 503 }));
    const turn = talk.ask();
    await talk.letPausePass(1, 0);
    talk.stop();
    await turn;
    expect(talk.told).toEqual(['stopped stop']);
    expect(talk.server.chats).toHaveLength(1);
    expect(talk.clock.pending).toBe(0);
  });

  it.each([400, 401, 403, 404])('7.5 retry: never after %s', async (status) => {
    talk.server.script(failWith('no', { status }));
    await talk.ask();
    expect(talk.server.chats).toHaveLength(1);
    expect(talk.lastAnswer.status).toBe('error');
  });

  it('7.5 retry: never once something came, so that nothing is said twice', async () => {
    talk.server.script(say('The ans'), failWith('model runner has unexpectedly stopped'));
    await talk.ask();
    expect(talk.server.chats).toHaveLength(1);
    expect(talk.told).toEqual(['failed runner_stopped | text The ans']);
  });

  it('7.5 retry: never after a call of the same answer, which has not been run then', async () => {
    const folder = new TestFolder();
    talk.server.script(callTool('write_file', { path: 'a.ts', content: '' }), cutOff());
    await talk.ask('Write it.', { tools: toolsOf(folder.tools) });
    expect(talk.server.chats).toHaveLength(1);
    expect(folder.done).toEqual([]);
    expect(talk.told).toEqual(['cut off cut_off | write_file({"path":"a.ts","content":""}) expired']);
  });

  it('7.5 retry: the calls of earlier answers are not run again', async () => {
    const folder = new TestFolder();
    talk.server.script(callTool('write_file', { path: 'a.ts', content: '' }));
    talk.server.script(resetConnection());
    talk.server.script(say('Written.'));
    const turn = talk.ask('Write it.', { tools: toolsOf(folder.tools) });
    await talk.letPausePass(1, 1_000);
    await turn;
    expect(folder.done).toEqual(['write a.ts', 'wrote a.ts']);
    expect(talk.lastAnswer.status).toBe('done');
  });
});

describe('a model that cannot', () => {
  it('use tools is asked without them, which its answer says, for the rest of the turn', async () => {
    talk.server.script(say('I cannot look.'));
    await talk.ask('Compare.', { model: 'plain' });
    expect(talk.told).toEqual(['done | text I cannot look.']);
    expect(talk.lastAnswer.notes).toEqual(['without_tools']);
    expect(talk.server.chats.map(({ chat }) => (chat.tools ?? []).length)).toEqual([2, 0]);
  });

  it('think is asked without that, which its answer says', async () => {
    talk.server.script(say('Hello.'));
    await talk.ask('Hello', { model: 'plain', think: true, tools: toolsOf([]) });
    expect(talk.lastAnswer).toMatchObject({ status: 'done', notes: ['without_thinking'] });
    expect(talk.server.chats).toHaveLength(2);
  });

  it('do either is asked without both', async () => {
    talk.server.script(say('Hello.'));
    await talk.ask('Hello', { model: 'plain', think: true });
    expect([...(talk.lastAnswer.notes ?? [])].sort()).toEqual(['without_thinking', 'without_tools']);
    expect(talk.server.chats).toHaveLength(3);
  });

  it('do without, as it says of a request that had none, ends the turn', async () => {
    talk.server.script(failWith('x does not support tools', { status: 400 }));
    await talk.ask('Hello', { tools: toolsOf([]) });
    expect(talk.told).toEqual(['failed no_tools']);
  });
});

describe('figures of the server', () => {
  const long = 'word '.repeat(2_000);

  it('stand in the answer beside what was expected', async () => {
    talk.server.script(say('Hi'), done({ prompt_eval_count: 26, eval_count: 3, eval_duration: 61_000_000 }));
    await talk.ask('Hello');
    expect(talk.lastAnswer.usage).toMatchObject({ promptTokens: 26, answerTokens: 3, answerMs: 61 });
    expect(talk.lastAnswer.usage?.estimatedTokens).toBeGreaterThan(26);
    expect(talk.lastAnswer.notes).toBeUndefined();
  });

  it('that are far below what was sent say that the prompt was cut', async () => {
    talk.server.script(say('Hi'), done({ prompt_eval_count: 1_024 }));
    await talk.ask(long);
    expect(talk.lastAnswer).toMatchObject({ status: 'done', notes: ['prompt_cut'] });
  });

  it('that fall while the conversation grows say so too', async () => {
    talk.server.script(callTool('read_file', { path: 'a.ts' }), done({ prompt_eval_count: 3_000 }));
    talk.server.script(say('It is 1.'), done({ prompt_eval_count: 2_400 }));
    await talk.ask(long);
    expect(talk.answers.map((answer) => answer.notes)).toEqual([undefined, ['prompt_cut']]);
  });

  it('that are near to it say nothing', async () => {
    talk.server.script(callTool('read_file', { path: 'a.ts' }), done({ prompt_eval_count: 2_600 }));
    talk.server.script(say('It is 1.'), done({ prompt_eval_count: 2_700 }));
    await talk.ask(long);
    expect(talk.answers.map((answer) => answer.notes)).toEqual([undefined, undefined]);
  });

  it('that count less for images than is expected say nothing', async () => {
    const image = {
      type: 'attachment',
      kind: 'image',
      name: 'a.png',
      mediaType: 'image/png',
      bytes: 3,
      data: 'AAAA',
    } as const;
    const message = { ...question(1, 'Look.'), parts: [image, image, image, image] };
    talk.recorder.record({ type: 'message_added', message });
    talk.server.script(say('Four cats.'), done({ prompt_eval_count: 1_100 }));
    await talk.ask('What is there?', { vision: true });
    expect(talk.lastAnswer.notes).toBeUndefined();
  });

  it('6 forgets the system prompt: it is in every request of a long turn, with the tools and the question', async () => {
    const folder = new TestFolder({});
    for (let step = 0; step < 15; step += 1) {
      folder.files.set(`${step}.ts`, `// ${step}\n`.repeat(200));
      talk.server.script(callTool('read_file', { path: `${step}.ts` }));
    }
    talk.server.script(say('That is all.'));
    await talk.ask('Read everything.', { tools: toolsOf(folder.tools) });
    expect(talk.lastAnswer.status).toBe('done');
    for (const { chat } of talk.server.chats) {
      expect(chat.messages[0]?.role).toBe('system');
      expect(chat.tools).toHaveLength(2);
      expect(chat.messages.some(({ content }) => content.includes('Read everything.'))).toBe(true);
    }
    expect(new Set(talk.server.chats.map(({ chat }) => chat.messages[0]?.content)).size).toBe(1);
    // No result was lost on the way, which is the commonest reason for a model to lose its thread.
    expect(talk.sent(-1).filter((message) => message.role === 'tool')).toHaveLength(15);
  });
});
