import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestFolder } from '../../../test/support/agent/testTools';
import { toolsOf, TurnTalk } from '../../../test/support/agent/turnTalk';
import {
  callTool,
  callTools,
  cutOff,
  done,
  failWith,
  holdUntil,
  say,
  think,
} from '../../../test/support/ollama/chatStep';
import { Gate } from '../../../test/support/ollama/gate';
import { TOOL_RESULT_CHARS } from '../base/limits';
import { silentLog } from '../base/log';
import { OllamaClient } from '../ollama/ollamaClient';

let talk: TurnTalk;
let folder: TestFolder;
const never = new Promise<never>(() => undefined);

beforeEach(async () => {
  folder = new TestFolder();
  talk = await TurnTalk.start({ tools: toolsOf(folder.tools) });
});

afterEach(async () => {
  expect(talk.faults).toEqual([]);
  await talk.server.close();
});

/** Resolves when a call stands in this state. */
function untilCall(state: string): Promise<void> {
  return talk.recorder.until(() => talk.calls.some((call) => call.state === state));
}

describe('the state of a call', () => {
  it('7.2 goes from pending over running to done, and its message is written with its calls before any tool runs', async () => {
    talk.server.script(callTool('write_file', { path: 'a.ts', content: '1' }));
    talk.server.script(say('Written.'));
    await talk.ask();
    const states = talk.recorder.events.flatMap((event) =>
      event.type === 'part_set' && event.part.type === 'tool' ? [event.part.state] : [],
    );
    expect(states).toEqual(['pending', 'running', 'done']);
  });

  it('7.2 is written before the effect: a tool waits for that', async () => {
    const written = new Gate();
    const gates: string[] = [];
    talk.recorder.gate = async () => {
      gates.push(talk.calls.map((call) => call.state).join());
      if (gates.at(-1) === 'running') await written.opened;
      return true;
    };
    talk.server.script(callTool('write_file', { path: 'a.ts', content: '1' }));
    talk.server.script(say('Written.'));
    const turn = talk.ask();
    await untilCall('running');
    expect(folder.done).toEqual([]);
    written.open();
    await turn;
    // Before the request, before leave is given, before the tool, and before the next request, which holds the result.
    expect(gates).toEqual(['', 'pending', 'running', 'done']);
  });
});

describe('a valid history', () => {
  it.each(['write_file', 'read_file'])('7.3 has a result for a call of %s that Stop interrupted', async (name) => {
    folder.pause = () => never;
    talk.server.script(
      callTool(name, { path: 'a.ts', content: '' }, { id: 'c1' }),
      callTool('write_file', {}, { id: 'c2' }),
    );
    const turn = talk.ask();
    await untilCall('running');
    talk.stop();
    await turn;
    expect(talk.calls.map((call) => call.state)).toEqual(['interrupted', 'expired']);
    talk.server.script(say('Fine.'));
    await talk.ask('Go on.');
    const told = talk.sent(-1).filter((message) => message.role === 'tool');
    expect(told.map((message) => message.tool_call_id)).toEqual(['c1', 'c2']);
    expect(told[0]?.content).toContain('unknown whether it took effect');
    expect(told[1]?.content).toContain('was not run');
  });

  it('7.3 has a result for each of two calls with one id, in their order', async () => {
    talk.server.script(
      callTools([
        { name: 'read_file', arguments: { path: 'a.ts' }, id: 'same' },
        { name: 'read_file', arguments: { path: 'b.ts' }, id: 'same' },
      ]),
    );
    talk.server.script(say('They differ.'));
    await talk.ask();
    expect(
      talk
        .sent(1)
        .slice(-2)
        .map((message) => message.content),
    ).toEqual(['export const a = 1', 'export const b = 2']);
  });
});

describe('Stop', () => {
  it('7.4 ends a turn whose tool never returns, without waiting for it', async () => {
    folder.pause = () => never;
    talk.server.script(callTool('read_file', { path: 'a.ts' }));
    const turn = talk.ask();
    await untilCall('running');
    talk.stop();
    await turn;
    expect(talk.told).toEqual(['stopped stop | read_file({"path":"a.ts"}) interrupted']);
  });

  it('7.4 reaches the server before the headers, and leaves nothing but that it was stopped', async () => {
    talk.server.script(holdUntil(never));
    const turn = talk.ask();
    const request = await talk.server.nextChat();
    talk.stop();
    await turn;
    await request.closed;
    expect(talk.told).toEqual(['stopped stop']);
  });

  it('7.4 keeps what came, and applies no record after it', async () => {
    talk.server.script(think('hm'), say('The ans'), holdUntil(never));
    const turn = talk.ask();
    await talk.recorder.until(() => talk.told[0]?.includes('The ans') === true);
    talk.stop('takeover');
    const before = talk.recorder.events.length;
    await turn;
    expect(talk.told).toEqual(['interrupted takeover | thinking hm | text The ans']);
    expect(talk.recorder.events.slice(before).map((event) => event.type)).toEqual(['message_ended']);
  });

  it('7.4 drops the late answer of a tool', async () => {
    const late = new Gate();
    folder.pause = () => late.opened;
    talk.server.script(callTool('read_file', { path: 'a.ts' }));
    const turn = talk.ask();
    await untilCall('running');
    talk.stop();
    await turn;
    const { events } = talk.recorder;
    const before = events.length;
    late.open();
    await late.opened;
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toHaveLength(before);
  });

  it('7.4 of the person between two calls leaves the second one alone', async () => {
    talk.recorder.gate = () => {
      if (talk.calls[0]?.state === 'done') talk.stop();
      return Promise.resolve(true);
    };
    talk.server.script(
      callTool('write_file', { path: 'a.ts', content: '' }),
      callTool('write_file', { path: 'b.ts', content: '' }),
    );
    await talk.ask();
    expect(folder.done).toEqual(['write a.ts', 'wrote a.ts']);
    expect(talk.lastAnswer).toMatchObject({ status: 'aborted', reason: 'stop' });
  });
});

describe('a server that takes its time', () => {
  it('7.6 is waited for in every silence, and Stop works in it', async () => {
    const loaded = new Gate();
    const middle = new Gate();
    talk.server.script(holdUntil(loaded.opened), say('The '), holdUntil(middle.opened), say('answer.'));
    const turn = talk.ask();
    await talk.server.nextChat();
    talk.clock.advance(400_000);
    loaded.open();
    await talk.recorder.until(() => talk.told[0]?.includes('The ') === true);
    talk.clock.advance(400_000);
    middle.open();
    await turn;
    expect(talk.told).toEqual(['done | text The answer.']);
  });

  it('7.6 is given up where a limit for silences within an answer is set, and what came is kept', async () => {
    talk.server.script(say('The '), holdUntil(never));
    const client = new OllamaClient(talk.server.url, talk.clock, silentLog, { stallMs: 120_000 });
    const turn = talk.ask('Hello', { client });
    await talk.recorder.until(() => talk.told[0]?.includes('The ') === true);
    await expect.poll(() => talk.clock.pending).toBeGreaterThan(0);
    talk.clock.advance(120_000);
    await turn;
    expect(talk.told).toEqual(['failed stalled | text The ']);
    expect(talk.server.chats).toHaveLength(1);
  });
});

describe('what a turn sends and shows', () => {
  it('7.8 results: a long one is cut with a word on it, and a failure is a text', async () => {
    folder.files.set('a.ts', 'x'.repeat(3 * TOOL_RESULT_CHARS));
    talk.server.script(callTool('read_file', { path: 'a.ts' }), callTool('read_file', { path: 'none.ts' }));
    talk.server.script(say('Long.'));
    await talk.ask();
    const [long, none] = talk.calls.map((call) => call.result?.content ?? '');
    expect(long?.length).toBeLessThan(TOOL_RESULT_CHARS + 200);
    expect(long).toMatch(/characters omitted/);
    expect(none).toBe('There is no none.ts.');
    expect(talk.lastAnswer.status).toBe('done');
  });

  it('7.10 one slot: a second turn waits in line, which is shown, and is not taken for stalled', async () => {
    const first = new Gate();
    const client = new OllamaClient(talk.server.url, talk.clock, silentLog, { stallMs: 120_000 });
    talk.server.script(holdUntil(first.opened), say('First.'));
    talk.server.script(say('Second.'));
    const other = await TurnTalk.start();
    const one = talk.ask('Hello', { client });
    await talk.server.nextChat();
    const two = other.ask('Hello', { client });
    await other.recorder.until(() =>
      other.recorder.steps.some((step) => step.kind === 'waiting' && step.phase === 'queued'),
    );
    talk.clock.advance(400_000);
    first.open();
    await Promise.all([one, two]);
    expect([talk.told, other.told]).toEqual([['done | text First.'], ['done | text Second.']]);
    await other.server.close();
  });

  it('7.11 permissions: what is run is exactly what is shown', async () => {
    const ran: unknown[] = [];
    const tools = toolsOf(folder.tools);
    talk.server.script(callTool('tool.Write_File', { arguments: { path: 'a.ts', content: 7 } }));
    talk.server.script(say('Written.'));
    await talk.ask('Write it.', {
      tools: {
        ...tools,
        plan: (name, args, signal) => {
          ran.push([name, args]);
          return tools.plan(name, args, signal);
        },
      },
    });
    expect(ran).toEqual(talk.calls.map((call) => [call.name, call.arguments]));
    expect(ran).toEqual([['write_file', { path: 'a.ts', content: '7' }]]);
  });
});

describe('the end of a turn', () => {
  it.each([
    ['an answer with its end', [say('Yes.'), done()], 'done | text Yes.'],
    ['a stream without its end', [say('Yes'), cutOff()], 'cut off cut_off | text Yes'],
    ['an error in the stream', [say('Yes'), failWith('an odd thing')], 'failed server_error | text Yes'],
    ['an error before it', [failWith('an odd thing')], 'failed server_error'],
  ])('7.12 ending: %s is told apart from the others', async (_, steps, told) => {
    talk.server.script(...steps);
    await talk.ask();
    expect(talk.told).toEqual([told]);
  });

  it('7.12 ending: with calls, an end is not the end', async () => {
    talk.server.script(say('Reading.'), callTool('read_file', { path: 'a.ts' }), done());
    talk.server.script(say('It is 1.'));
    await talk.ask();
    expect(talk.answers).toHaveLength(2);
  });
});
