import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, calling, compacted, question } from '../../../test/support/agent/messages';
import { turnInput, type TestTurn, type TurnSpecial } from '../../../test/support/agent/turnInput';
import { bodyFaults } from '../../../test/support/ollama/bodyChecks';
import { callTool, cutOff, done, failWith, holdUntil, say, think } from '../../../test/support/ollama/chatStep';
import { OllamaServer } from '../../../test/support/ollama/ollamaServer';
import type { Message } from '../../protocol/message';
import { canCompact, compact, isOverThreshold } from './compaction';
import { lastCompaction } from './history';
import { prepareRequest } from './request';

const unaborted = new AbortController().signal;
const WINDOW = 4_096;
const SYSTEM = 'You are a test.';
const LONG = 'some words of a file '.repeat(150);

let server: OllamaServer;

beforeEach(async () => {
  server = await OllamaServer.start({ models: ['m'] });
});
afterEach(() => server.close());

function input(messages: readonly Message[], special: TurnSpecial = {}): TestTurn {
  return turnInput(messages, {
    serverUrl: server.url,
    systemPrompt: SYSTEM,
    contextLength: WINDOW,
    ...special,
  });
}

/** One turn of many steps, each with a result that is not short. */
function longTurn(steps: number): readonly Message[] {
  return [question(1, 'Read all files.'), ...Array.from({ length: steps }, (_, index) => calling(index + 2, LONG))];
}

function notice(turn: TestTurn): ReturnType<typeof lastCompaction> {
  return lastCompaction(turn.recorder.transcript.messages);
}

describe('a compaction', () => {
  it('is wanted when the next request would take most of the window, and not before', () => {
    expect(isOverThreshold(input(longTurn(2)))).toBe(false);
    expect(isOverThreshold(input(longTurn(8)))).toBe(true);
  });

  it('has the model summarise what is older, within a turn too, and keeps every word in the transcript', async () => {
    const messages = longTurn(8);
    const turn = input(messages);
    server.script(think('Hm.'), say('They read ', 'files.'));
    expect(await compact(turn, unaborted)).toEqual({ kind: 'compacted' });
    expect(notice(turn)).toMatchObject({ text: 'They read files.' });
    expect(turn.recorder.transcript.messages.slice(0, -1)).toEqual(messages);
    expect(isOverThreshold(turn)).toBe(false);
    const { request, fits } = prepareRequest(turn);
    expect(fits).toBe(true);
    expect(request.messages[1]?.content).toMatch(/They read files\.[^]*Read all files\./);
    // What is newest stays word by word.
    expect(request.messages.at(-1)).toMatchObject({ role: 'tool' });
  });

  it('asks with the window of the turns, without tools, with what is wanted at the end, and in what fits', async () => {
    const turn = input(longTurn(40), { think: true, keepAlive: '10m' });
    server.script(say('Short.'));
    await compact(turn, unaborted);
    expect(bodyFaults(server.chats, { system: SYSTEM, question: 'Read all files.' })).toEqual([]);
    expect(server.chats[0]?.chat).toMatchObject({
      options: { num_ctx: WINDOW },
      think: false,
      keep_alive: '10m',
    });
    expect(server.chats[0]?.chat.tools).toBeUndefined();
    const [end] = turn.recorder.transcript.messages.slice(-1);
    expect(end).toMatchObject({ role: 'user', origin: 'host', status: 'done' });
  });

  it('builds on the summary before it', async () => {
    const messages = [question(1, 'Old.'), answered(2, 'Yes.'), ...longTurn(9).map((m) => ({ ...m, seq: m.seq + 3 }))];
    const turn = input([...messages.slice(0, 2), compacted(3, 2, 'The first summary.'), ...messages.slice(2)]);
    server.script(say('The second summary.'));
    await compact(turn, unaborted);
    const sent = server.chats[0]?.chat.messages[1]?.content ?? '';
    expect(sent).toContain('<earlier_summary>\nThe first summary.\n</earlier_summary>');
    expect(sent).not.toContain('Old.');
    expect(notice(turn)?.text).toBe('The second summary.');
  });

  it.each([
    ['writes what cannot be read', [failWith("error parsing tool call: raw='{', err=unexpected end of JSON input")]],
    ['is cut off', [cutOff()]],
    ['answers nothing', [done()]],
    ['calls a tool instead', [callTool('read_file', { path: 'a' })]],
  ])('makes a summary of what was asked and done when the model %s', async (_, steps) => {
    const turn = input(longTurn(8));
    server.script(steps);
    expect(await compact(turn, unaborted)).toEqual({ kind: 'compacted' });
    expect(notice(turn)?.text).toMatch(/^- Asked: Read all files\.\n- read_file \{"path":"a\.ts"\}: done/);
    expect(isOverThreshold(turn)).toBe(false);
  });

  it('changes nothing when the server will not answer', async () => {
    const turn = input(longTurn(8));
    server.script(failWith("model 'm' not found", { status: 404 }));
    expect(await compact(turn, unaborted)).toMatchObject({ kind: 'failed', failure: { reason: 'model_not_found' } });
    expect(notice(turn)).toBeUndefined();
  });

  it('records nothing when it is stopped, and the request ends', async () => {
    const turn = input(longTurn(8));
    const controller = new AbortController();
    server.script(holdUntil(new Promise(() => undefined)));
    const compaction = compact(turn, controller.signal);
    const request = await server.nextChat();
    controller.abort('stop');
    expect(await compaction).toEqual({ kind: 'stopped' });
    await request.closed;
    expect(notice(turn)).toBeUndefined();
  });

  it('is not wanted again when it gains too little, so that it cannot loop', async () => {
    const turn = input([question(1, 'word '.repeat(1_700)), calling(2, LONG)], { contextLength: WINDOW });
    expect(isOverThreshold(turn)).toBe(false);
    expect(await compact(turn, unaborted)).toEqual({ kind: 'nothing' });
    expect(server.chats).toEqual([]);
  });

  it('on command summarises all but the last turn, however much room there is', async () => {
    const messages = [question(1, 'a'), answered(2, 'b'), question(3, 'c'), answered(4, 'd')];
    const turn = input(messages);
    server.script(say('They said a and b.'));
    expect(canCompact(messages)).toBe(true);
    expect(await compact(turn, unaborted, 'asked')).toEqual({ kind: 'compacted' });
    expect(notice(turn)).toEqual({ type: 'notice', kind: 'compaction', text: 'They said a and b.', covers: 2 });
    expect(canCompact(turn.recorder.transcript.messages)).toBe(false);
    expect(canCompact(messages.slice(0, 2))).toBe(false);
  });
});
