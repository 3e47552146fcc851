import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestFolder } from '../../../test/support/agent/testTools';
import { toolsOf, TurnTalk } from '../../../test/support/agent/turnTalk';
import {
  bareDone,
  callTool,
  cutOff,
  done,
  failWith,
  say,
  think,
  type ChatStep,
} from '../../../test/support/ollama/chatStep';
import { STEPS_PER_TURN } from '../base/limits';

/** Things that models and servers do, well or badly. Whatever is waited for has tests of its own. */
const piece: fc.Arbitrary<ChatStep> = fc.oneof(
  fc.constantFrom(
    ...say(
      'Yes. ',
      '<think>hm',
      '</think>',
      '\n</think>\n',
      'I will now read a.ts.',
      ' \n',
      '{"name": "read_file", "arg',
    ),
    ...say('{"name":"read_file","arguments":{"path":"a.ts"}}', '<tool_call>{"name":"write_file","arguments":{}}'),
    ...think('so', 'well'),
  ),
  fc
    .tuple(
      fc.constantFrom('read_file', 'write_file', 'functions.Read_File', 'open_browser', ''),
      fc.constantFrom({ path: 'a.ts' }, { path: 'none' }, { args: { path: 'b.ts' } }, '{"path":"a.ts"}', '{', null, {
        path: 'a.ts',
        content: 'half \ud83d',
      }),
      fc.constantFrom('', 'same', undefined),
      fc.constantFrom<'record' | 'done'>('record', 'done'),
    )
    .map(([name, args, id, where]) => callTool(name, args, { ...(id === undefined ? {} : { id }), where })),
);

const ending: fc.Arbitrary<readonly ChatStep[]> = fc.constantFrom(
  [],
  [],
  [bareDone()],
  [done({ done_reason: 'length', eval_count: 9 })],
  [failWith("error parsing tool call: raw='{', err=unexpected end of JSON input")],
  [failWith('an odd thing')],
  [{ content: '.' }, cutOff()],
);

const answers = fc.array(fc.tuple(fc.array(piece, { maxLength: 5 }), ending), { minLength: 1, maxLength: 6 });

describe('a turn', () => {
  it('ends whatever the model does, with every call closed, every body valid, and within its bounds', async () => {
    await fc.assert(
      fc.asyncProperty(answers, fc.boolean(), async (drawn, loops) => {
        const talk = await TurnTalk.start({ tools: toolsOf(new TestFolder().tools), think: true });
        let next = 0;
        talk.server.fallback = () => {
          const [steps, end] = drawn[loops ? next % drawn.length : next] ?? [say('Done.'), []];
          next += 1;
          return [...steps, ...end];
        };
        await talk.ask();
        expect(talk.faults).toEqual([]);
        // At most nine attempts for one step.
        expect(talk.server.chats.length).toBeLessThanOrEqual((STEPS_PER_TURN + 1) * 9);
        for (const message of talk.answers) {
          expect(message.status).not.toBe('streaming');
          for (const part of message.parts) {
            if (part.type === 'tool') expect(part.state).toMatch(/^(?:done|error|expired)$/);
            if (part.type === 'thinking') expect(part.endedAt).toBeDefined();
          }
          // What is told as a good answer has something in it.
          if (message.status === 'done') expect(message.parts.some((part) => part.type !== 'thinking')).toBe(true);
        }
        // The next question can be asked, whatever there was.
        talk.server.fallback = () => say('Fine.');
        await talk.ask('And now?');
        expect(talk.faults).toEqual([]);
        expect(talk.told.at(-1)).toBe('done | text Fine.');
        await talk.server.close();
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});
