import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestFolder } from '../../../test/support/agent/testTools';
import { toolsOf, TurnTalk } from '../../../test/support/agent/turnTalk';
import { callTool, callTools, done, raw, say, think, type ChatStep } from '../../../test/support/ollama/chatStep';
import { Gate } from '../../../test/support/ollama/gate';

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

/** The results that the model was told in the last request, oldest first. */
function results(): readonly string[] {
  return talk.sent(-1).flatMap((message) => (message.role === 'tool' ? [message.content] : []));
}

describe('a call of the model', () => {
  it.each(['record', 'done'] as const)(
    'is run when it comes in the %s, and the model is told the result',
    async (where) => {
      talk.server.script(say('Reading.'), callTool('read_file', { path: 'a.ts' }, { id: 'call_1', where }));
      talk.server.script(say('It is 1.'));
      await talk.ask();
      expect(talk.told).toEqual(['done | text Reading. | read_file({"path":"a.ts"}) done', 'done | text It is 1.']);
      expect(talk.sent(1).slice(-2)).toEqual([
        {
          role: 'assistant',
          content: 'Reading.',
          tool_calls: [{ id: 'call_1', function: { name: 'read_file', arguments: { path: 'a.ts' } } }],
        },
        { role: 'tool', content: 'export const a = 1', tool_name: 'read_file', tool_call_id: 'call_1' },
      ]);
    },
  );

  it.each(['functions.read_file', 'Read_File', 'tool.read_file', 'read_file<|channel|>commentary'])(
    '6 unknown tool: %s is taken for the tool that is meant, and stored under its name',
    async (name) => {
      talk.server.script(callTool(name, { path: 'a.ts' }));
      talk.server.script(say('It is 1.'));
      await talk.ask();
      expect(talk.told[0]).toBe('done | read_file({"path":"a.ts"}) done');
      expect(results()).toEqual(['export const a = 1']);
    },
  );

  it('6 unknown tool: any other name is answered with what there is', async () => {
    talk.server.script(callTool('open_browser', { url: 'x' }));
    talk.server.script(raw('{"message":{"content":"","tool_calls":[{}]}}\n'));
    talk.server.script(say('I cannot.'));
    await talk.ask();
    expect(results()).toEqual([
      'Unknown tool "open_browser". Available: read_file, write_file.',
      'Unknown tool "". Available: read_file, write_file.',
    ]);
    expect(talk.lastAnswer.status).toBe('done');
  });

  it.each([
    ['text', '{"path":"a.ts"}'],
    ['text in text', JSON.stringify('{"path":"a.ts"}')],
    ['arguments', { arguments: { path: 'a.ts' } }],
    ['parameters', { parameters: '{"path":"a.ts"}' }],
    ['args', { args: { path: 'a.ts' } }],
    ['input', { input: { path: 'a.ts' } }],
  ])('6 arguments as text or nested: those in %s are unwrapped, and stored as they are meant', async (_, args) => {
    talk.server.script(callTool('read_file', args));
    talk.server.script(say('It is 1.'));
    await talk.ask();
    expect(talk.calls).toMatchObject([{ arguments: { path: 'a.ts' }, state: 'done' }]);
    expect(results()).toEqual(['export const a = 1']);
    expect(talk.sent(1).at(-2)?.tool_calls?.[0]?.function.arguments).toEqual({ path: 'a.ts' });
  });

  it.each(['', null, { arguments: '' }, { args: null }])(
    '6 arguments as text or nested: %j are none, and what is missing is named',
    async (args) => {
      talk.server.script(callTool('read_file', args));
      talk.server.script(say('Which file?'));
      await talk.ask();
      expect(talk.calls).toMatchObject([{ arguments: {}, state: 'error' }]);
      expect(results()[0]).toBe(
        'Wrong arguments for read_file. "path" is missing: a string. Example: {"path":"src/app.ts"}',
      );
    },
  );

  it.each(['{"path": "a', ['a.ts'], 7])(
    '6 arguments as text or nested: %j are no object, which the model is told',
    async (args) => {
      talk.server.script(callTool('read_file', args));
      talk.server.script(say('Sorry.'));
      await talk.ask();
      expect(talk.calls).toMatchObject([{ arguments: {}, state: 'error' }]);
      expect(results()[0]).toContain('must be one JSON object, such as {"path":"src/app.ts"}. Received: ');
    },
  );

  it('6 wrong arguments: cheap repairs only, and unknown keys do no harm', async () => {
    talk.server.script(callTool('read_file', { path: 'a.ts', limit: '10', lines: '[1, 2]', mood: 'good' }));
    talk.server.script(callTool('read_file', { path: 'a.ts', lines: 3 }));
    talk.server.script(say('It is 1.'));
    await talk.ask();
    expect(talk.calls.map((call) => call.arguments)).toEqual([
      { path: 'a.ts', limit: 10, lines: [1, 2], mood: 'good' },
      { path: 'a.ts', lines: [3] },
    ]);
    expect(talk.calls.map((call) => call.state)).toEqual(['done', 'done']);
  });

  it('6 wrong arguments: what cannot be repaired is named with what is expected and an example', async () => {
    talk.server.script(callTool('read_file', { path: ['a.ts'], limit: 'many', object: '{"path":"a.ts"}' }));
    talk.server.script(say('Sorry.'));
    await talk.ask();
    expect(results()).toEqual([
      'Wrong arguments for read_file. "path" must be a string. "limit" must be a number. Example: {"path":"src/app.ts"}',
    ]);
    expect(folder.done).toEqual([]);
  });

  it('6 calls where none fit: a model that has no tools is told so when it calls', async () => {
    talk.server.script(callTool('ask_user', { question: 'Which?' }));
    talk.server.script(say('Which one?'));
    await talk.ask('Hello', { tools: toolsOf([]) });
    expect(results()[0]).toContain('Unknown tool "ask_user"');
    expect(talk.lastAnswer.status).toBe('done');
  });
});

describe('calls in one answer', () => {
  it('that only read run side by side, and their results stand in the order of the calls', async () => {
    const both = new Gate();
    folder.pause = async (path) => {
      if (path === 'b.ts') both.open();
      await both.opened;
    };
    talk.server.script(callTool('read_file', { path: 'a.ts' }), callTool('read_file', { path: 'b.ts' }));
    talk.server.script(say('They differ.'));
    await talk.ask();
    expect(results()).toEqual(['export const a = 1', 'export const b = 2']);
  });

  it('6 two writes: what has effects is done one by one, in order', async () => {
    talk.server.script(
      callTools([
        { name: 'read_file', arguments: { path: 'a.ts' } },
        { name: 'write_file', arguments: { path: 'a.ts', content: '1' } },
        { name: 'write_file', arguments: { path: 'a.ts', content: '2' } },
        { name: 'read_file', arguments: { path: 'a.ts' } },
      ]),
    );
    talk.server.script(say('Written.'));
    await talk.ask();
    expect(folder.done).toEqual(['read a.ts', 'write a.ts', 'wrote a.ts', 'write a.ts', 'wrote a.ts', 'read a.ts']);
    expect(results()).toEqual(['export const a = 1', 'Written.', 'Written.', '2']);
  });
});

describe('a call as text', () => {
  const json = '{"name": "read_file", "arguments": {"path": "a.ts"}}';
  const forms: readonly (readonly [string, ChatStep[]])[] = [
    ['bare', say(json)],
    ['fenced', say('```json\n', json, '\n```')],
    ['in a tag', say('<tool_call>\n', json, '\n</tool_call>')],
    ['in function tags', say('<function=read_file><parameter=path>', '\na.ts\n</parameter></function>')],
    ['behind a mark', say(`[TOOL_CALLS][${json}]`)],
    ['with a thought before it', [...think('I should read it.'), ...say(json)]],
  ];

  it.each(forms)('6 call as text: %s, it is run like any other, and the text is gone', async (_, steps) => {
    talk.server.script(...steps);
    talk.server.script(say('It is 1.'));
    await talk.ask();
    const [answer] = talk.answers;
    expect(answer?.parts.some((part) => part.type === 'text')).toBe(false);
    expect(talk.calls).toMatchObject([
      {
        name: 'read_file',
        arguments: { path: 'a.ts' },
        state: 'done',
        callId: expect.stringMatching(/^call_/) as string,
      },
    ]);
    expect(results()).toEqual(['export const a = 1']);
    expect(talk.sent(1).at(-2)?.content).toBe('');
  });

  it.each([
    ['stands in prose', `To read it, I would call:\n\`\`\`json\n${json}\n\`\`\``],
    ['is followed by prose', `${json}\nThat is how it is called.`],
    ['is for no tool', '{"name": "open_browser", "arguments": {}}'],
    ['is a document', '{"name": "read_file", "arguments": {}, "version": 1}'],
  ])('6 call as text: it is only text when it %s', async (_, text) => {
    talk.server.script(say(text));
    await talk.ask();
    expect(talk.told).toEqual([`done | text ${text}`]);
    expect(folder.done).toEqual([]);
  });

  it('6 call as text: it is only text beside a call of the server, and where there are no tools', async () => {
    talk.server.script(say(json), callTool('read_file', { path: 'b.ts' }));
    talk.server.script(say('It is 2.'));
    await talk.ask();
    expect(talk.told[0]).toBe(`done | text ${json} | read_file({"path":"b.ts"}) done`);
    talk.server.script(say(json));
    await talk.ask('And now?', { tools: toolsOf([]) });
    expect(talk.told.at(-1)).toBe(`done | text ${json}`);
    expect(folder.done).toEqual(['read b.ts']);
  });

  it('comes with others, of which the first stands where the text was', async () => {
    talk.server.script(
      say(`<tool_call>${json}</tool_call>`, '<tool_call>{"name":"read_file","arguments":{"path":"b.ts"}}'),
    );
    talk.server.script(say('They differ.'), done());
    await talk.ask();
    expect(talk.told[0]).toBe('done | read_file({"path":"a.ts"}) done | read_file({"path":"b.ts"}) done');
  });
});
