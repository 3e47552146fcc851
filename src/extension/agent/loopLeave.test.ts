import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestLeave } from '../../../test/support/agent/leave';
import { TestFolder } from '../../../test/support/agent/testTools';
import { toolsOf, TurnTalk } from '../../../test/support/agent/turnTalk';
import { callTool, callTools, say } from '../../../test/support/ollama/chatStep';
import type { ToolState } from '../../protocol/part';
import { FAILED_CALLS } from '../base/limits';

let talk: TurnTalk;
let folder: TestFolder;
let leave: TestLeave;

beforeEach(async () => {
  folder = new TestFolder();
  leave = new TestLeave();
  talk = await TurnTalk.start({ tools: toolsOf(folder.allTools), leave });
});

afterEach(async () => {
  expect(talk.faults).toEqual([]);
  await talk.server.close();
});

const WRITE = callTool('write_file', { path: 'a.ts', content: 'new' });

/** The results that the model was told in the last request, oldest first. */
function results(): readonly string[] {
  return talk.sent(-1).flatMap((message) => (message.role === 'tool' ? [message.content] : []));
}

/** All states that the call at `idx` of the first answer has had. */
function statesOf(idx: number): readonly ToolState[] {
  const seq = talk.answers[0]?.seq;
  return talk.recorder.events.flatMap((event) =>
    event.type === 'part_set' && event.seq === seq && event.idx === idx && event.part.type === 'tool'
      ? [event.part.state]
      : [],
  );
}

describe('7.11 permissions: a call that asks', () => {
  it('says what it would do, is done after the answer and not before, and is told like any other', async () => {
    talk.server.script(WRITE);
    talk.server.script(say('Written.'));
    const turn = talk.ask();
    const request = await leave.request(1);
    expect(folder.done).toEqual([]);
    expect(talk.calls).toMatchObject([{ state: 'awaiting_approval', approval: request }]);
    expect(request).toMatchObject({
      askedAt: talk.clock.now(),
      subject: { kind: 'edit', change: { path: 'a.ts', kind: 'changed' }, outside: false },
      reasons: ['mode'],
      grants: [{ kind: 'answer' }],
    });
    leave.say({ kind: 'allow' });
    await turn;
    expect(statesOf(0)).toEqual(['pending', 'awaiting_approval', 'running', 'done']);
    expect(talk.calls).toMatchObject([{ effects: true, approval: request, answer: { kind: 'allow' } }]);
    expect(folder.done).toEqual(['write a.ts', 'wrote a.ts']);
    expect(results()).toEqual(['Written.']);
  });

  it('keeps what the file would become while it waits, and says that it is done before it does it', async () => {
    folder.pause = () => {
      expect(talk.recorder.kept.map(({ state }) => state)).toEqual(['proposed', 'applied']);
      return Promise.resolve();
    };
    talk.server.script(WRITE);
    talk.server.script(say('Written.'));
    const turn = talk.ask();
    await leave.request(1);
    expect(talk.recorder.kept).toMatchObject([{ seq: 2, idx: 0, state: 'proposed', version: { path: '/a.ts' } }]);
    leave.say({ kind: 'allow' });
    await turn;
    expect(folder.done).toHaveLength(2);
    expect(talk.recorder.kept).toHaveLength(2);
  });

  it('says what it changes before it does it: one that nobody sees end can be taken back', async () => {
    leave.decision = () => ({ kind: 'allow' });
    folder.pause = () => {
      expect(talk.calls).toMatchObject([{ state: 'running', change: { path: 'a.ts', kind: 'changed' } }]);
      talk.stop();
      return Promise.resolve();
    };
    talk.server.script(WRITE);
    await talk.ask();
    expect(talk.calls).toMatchObject([{ state: 'interrupted', change: { path: 'a.ts' } }]);
  });

  it('has done nothing to the file when the tool failed', async () => {
    leave.decision = () => ({ kind: 'allow' });
    talk.server.script(callTool('write_file', { path: 'locked.ts', content: 'new' }));
    talk.server.script(say('It is locked.'));
    await talk.ask();
    expect(talk.calls).toMatchObject([{ state: 'error' }]);
    expect(talk.calls[0]?.change).toBeUndefined();
    expect(talk.recorder.kept.map(({ state }) => state)).toEqual(['applied', 'proposed']);
  });

  it('is not done when it is denied, and the model reads so, with the words of the person', async () => {
    talk.server.script(callTool('run_command', { command: 'rm -r dist' }));
    talk.server.script(say('I will leave it.'));
    const turn = talk.ask();
    await leave.request(1);
    leave.say({ kind: 'deny', words: 'Keep dist, \ud83c I need it.' });
    await turn;
    expect(folder.done).toEqual([]);
    expect(talk.calls).toMatchObject([{ state: 'denied', answer: { kind: 'deny' }, endedAt: talk.clock.now() }]);
    expect(talk.calls[0]?.effects).toBeUndefined();
    expect(results()[0]).toMatch(/^The user denied this call\. It was not run\.[^]*\nKeep dist, \ufffd I need it\.$/);
    expect(talk.told.at(-1)).toBe('done | text I will leave it.');
  });

  it('is no failure when it is denied, however often', async () => {
    for (let count = 1; count <= FAILED_CALLS + 1; count += 1)
      talk.server.script(callTool('run_command', { command: `make ${count}` }));
    talk.server.script(say('Then not.'));
    const turn = talk.ask();
    for (let count = 1; count <= FAILED_CALLS + 1; count += 1) {
      await leave.request(count);
      leave.say({ kind: 'deny' });
    }
    await turn;
    expect(talk.lastAnswer).toMatchObject({ status: 'done' });
    expect(talk.lastAnswer.reason).toBeUndefined();
  });

  it('is not asked for without end when the model makes it again and again', async () => {
    for (let count = 1; count <= 6; count += 1) talk.server.script(callTool('run_command', { command: 'make' }));
    const turn = talk.ask();
    for (let count = 1; count <= 4; count += 1) {
      await leave.request(count);
      leave.say({ kind: 'deny' });
    }
    await turn;
    expect(leave.asked).toHaveLength(4);
    expect(talk.told.at(-1)).toContain('repeated_calls');
  });

  it('is answered in words where it may not be done at all', async () => {
    leave.decision = () => ({ kind: 'refuse', sentence: 'Nothing may be run here.' });
    talk.server.script(callTool('run_command', { command: 'make' }));
    talk.server.script(say('I cannot.'));
    await talk.ask();
    expect(folder.done).toEqual([]);
    expect(results()).toEqual(['Nothing may be run here.']);
    expect(talk.calls).toMatchObject([{ state: 'error', result: { summary: 'not allowed' } }]);
  });

  it('is never asked for beside another one; what only reads goes on meanwhile', async () => {
    talk.server.script(
      callTools([
        { name: 'read_outside', arguments: { path: '/etc/one' } },
        { name: 'read_outside', arguments: { path: '/etc/two' } },
        { name: 'read_file', arguments: { path: 'a.ts' } },
      ]),
    );
    talk.server.script(say('Read.'));
    const turn = talk.ask();
    await leave.request(1);
    await talk.recorder.until(() => talk.calls[2]?.state === 'done');
    expect(talk.calls.map(({ state }) => state)).toEqual(['awaiting_approval', 'pending', 'done']);
    leave.say({ kind: 'allow' });
    await leave.request(2);
    expect(talk.calls.map(({ state }) => state)).toEqual([
      expect.stringMatching(/running|done/),
      'awaiting_approval',
      'done',
    ]);
    leave.say({ kind: 'deny' });
    await turn;
    expect(folder.done).toEqual(['read a.ts', 'read /etc/one']);
    expect(talk.calls.map(({ effects }) => effects)).toEqual([undefined, undefined, undefined]);
  });

  it('expires when the person stops the turn, with the calls behind it', async () => {
    talk.server.script(WRITE, callTool('run_command', { command: 'make' }));
    const turn = talk.ask();
    const request = await leave.request(1);
    talk.clock.advance(60_000);
    talk.stop();
    await turn;
    expect(talk.calls).toMatchObject([
      { state: 'expired', approval: request, endedAt: request.askedAt + 60_000 },
      { state: 'expired' },
    ]);
    expect(talk.lastAnswer).toMatchObject({ status: 'aborted', reason: 'stop' });
    expect(folder.done).toEqual([]);
  });
});

describe('7.11 permissions: a call that cannot be written down', () => {
  it('is decided about with that known', async () => {
    talk.recorder.saved = false;
    leave.decision = (_, unsaved) => (unsaved ? { kind: 'ask', reasons: ['unsaved'], grants: [] } : { kind: 'allow' });
    talk.server.script(WRITE);
    talk.server.script(say('Written.'));
    const turn = talk.ask();
    expect(await leave.request(1)).toMatchObject({ reasons: ['unsaved'] });
    leave.say({ kind: 'allow' });
    await turn;
    expect(folder.done).toEqual(['write a.ts', 'wrote a.ts']);
    expect(leave.decided).toEqual(['edit, unsaved']);
  });

  it('asks before it is done when that shows only as it begins', async () => {
    talk.recorder.gate = () => Promise.resolve(talk.calls[0]?.state !== 'running');
    leave.decision = (_, unsaved) => (unsaved ? { kind: 'ask', reasons: ['unsaved'], grants: [] } : { kind: 'allow' });
    talk.server.script(WRITE);
    talk.server.script(say('Then not.'));
    const turn = talk.ask();
    await leave.request(1);
    expect(talk.calls).toMatchObject([{ state: 'awaiting_approval' }]);
    expect(talk.calls[0]?.effects).toBeUndefined();
    expect(talk.recorder.kept.map(({ state }) => state)).toEqual(['applied', 'proposed']);
    leave.say({ kind: 'deny' });
    await turn;
    expect(folder.done).toEqual([]);
    expect(talk.calls).toMatchObject([{ state: 'denied' }]);
  });
});

describe.each(['crash', 'takeover'] as const)(
  '7.11 permissions: a turn that ends by %s while a call waits',
  (reason) => {
    it('stays open, with the calls behind it, and goes on with the answer', async () => {
      talk.server.script(say('Let me.'), WRITE, callTool('run_command', { command: 'make' }));
      const turn = talk.ask();
      const request = await leave.request(1);
      talk.stop(reason);
      await turn;
      expect(talk.lastAnswer.status).toBe('streaming');
      expect(talk.calls.map(({ state }) => state)).toEqual(['awaiting_approval', 'pending']);
      leave.early.set(request.id, { kind: 'allow' });
      talk.server.script(say('Both done.'));
      const resumed = talk.resume();
      // The call behind it asks for itself.
      await leave.request(2);
      expect(folder.done).toEqual(['write a.ts', 'wrote a.ts']);
      leave.say({ kind: 'allow' });
      await resumed;
      expect(folder.done).toEqual(['write a.ts', 'wrote a.ts', 'run make']);
      expect(talk.told).toEqual([
        'done | text Let me. | write_file({"path":"a.ts","content":"new"}) done | run_command({"command":"make"}) done',
        'done | text Both done.',
      ]);
      expect(results()).toEqual(['Written.', 'Passed.']);
    });
  },
);

describe('7.11 permissions: a turn that goes on with an answer', () => {
  /** A write that waited when its window went. */
  async function leftOpen(): Promise<string> {
    talk.server.script(WRITE);
    const turn = talk.ask();
    const request = await leave.request(1);
    talk.stop('crash');
    await turn;
    return request.id;
  }

  it('asks anew when the call would do something else by now: leave was for what was shown', async () => {
    const id = await leftOpen();
    folder.files.set('a.ts', 'changed by somebody');
    leave.early.set(id, { kind: 'allow' });
    talk.server.script(say('Written.'));
    const turn = talk.resume();
    const again = await leave.request(2);
    expect(folder.done).toEqual([]);
    expect(again.digest).not.toBe(leave.asked[0]?.digest);
    expect(talk.calls).toMatchObject([{ state: 'awaiting_approval', approval: again }]);
    leave.say({ kind: 'allow' });
    await turn;
    expect(folder.done).toEqual(['write a.ts', 'wrote a.ts']);
  });

  it('asks anew when there is another reason to ask by now', async () => {
    const id = await leftOpen();
    leave.decision = () => ({ kind: 'ask', reasons: ['mode', 'unsaved'], grants: [] });
    leave.early.set(id, { kind: 'allow' });
    talk.server.script(say('Written.'));
    const turn = talk.resume();
    expect(await leave.request(2)).toMatchObject({ reasons: ['mode', 'unsaved'] });
    leave.say({ kind: 'deny' });
    await turn;
    expect(folder.done).toEqual([]);
  });

  it('does not even plan what was denied', async () => {
    const id = await leftOpen();
    leave.early.set(id, { kind: 'deny', words: 'No.' });
    talk.server.script(say('Then not.'));
    await talk.resume({
      tools: { ...toolsOf(folder.allTools), plan: () => Promise.reject(new Error('planned')) },
    });
    expect(folder.done).toEqual([]);
    expect(talk.told.at(-1)).toBe('done | text Then not.');
    expect(results()[0]).toContain('No.');
  });

  it('asks again what nobody has answered', async () => {
    await leftOpen();
    talk.server.script(say('Then not.'));
    const turn = talk.resume();
    await leave.request(2);
    leave.say({ kind: 'deny' });
    await turn;
    expect(folder.done).toEqual([]);
  });
});

describe('What a command prints', () => {
  it('is shown ten times a second at most, its last value always, and nothing of it after the result', async () => {
    leave.decision = () => ({ kind: 'allow' });
    folder.pause = (_, run) => {
      for (let count = 1; count <= 250; count += 1) {
        run?.output({ text: `line ${count}`, bytes: count });
        talk.clock.advance(1);
      }
      return Promise.resolve();
    };
    talk.server.script(callTool('run_command', { command: 'make' }));
    talk.server.script(say('Made.'));
    await talk.ask();
    const shown = talk.recorder.events.flatMap((event) => (event.type === 'tool_output' ? [event.output.bytes] : []));
    expect(shown).toEqual([1, 100, 200]);
    expect(talk.calls[0]).toMatchObject({ state: 'done', result: { content: 'Passed.', exitCode: 0 } });
    expect(talk.calls[0]?.output).toBeUndefined();
    talk.clock.advance(1_000);
    expect(talk.recorder.events.filter((event) => event.type === 'tool_output')).toHaveLength(3);
  });

  it('stays as it was last when the command is stopped', async () => {
    leave.decision = () => ({ kind: 'allow' });
    folder.pause = (_, run) => {
      run?.output({ text: 'one', bytes: 1 });
      run?.output({ text: 'two', bytes: 2 });
      talk.stop();
      return new Promise(() => undefined);
    };
    talk.server.script(callTool('run_command', { command: 'make' }));
    await talk.ask();
    expect(talk.calls).toMatchObject([{ state: 'interrupted', effects: true, output: { text: 'two' } }]);
  });
});
