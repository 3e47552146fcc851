import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../src/protocol/ids';
import { faultsOf } from '../support/ollama/bodyChecks';
import { callTools, say } from '../support/ollama/chatStep';
import { ask, idle, opened } from '../support/windows/liveTalk';
import { SharedHistory } from '../support/windows/sharedHistory';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

/** The first half of U+1F3F7, as JSON has it: what an editor left that cut a text between the two. */
const HALF = '\\ud83c';

/** A conversation of a window that is gone, in which nothing is wrong yet. */
async function written(): Promise<ConversationId> {
  const window = await history.open();
  const live = window.create();
  const call = { name: 'read_file', arguments: { path: 'a' } };
  history.server.script(say('I will.'), callTools([call, call]));
  history.server.script(say('They are not there.'));
  await ask(live, 'Read them');
  await idle(live);
  expect(live.transcript.messages[1]?.parts.map(({ type }) => type)).toEqual(['text', 'tool', 'tool']);
  await history.close(window);
  return live.id;
}

/** Rows of the second message by their place in it. */
async function damage(idx: number, columns: string): Promise<void> {
  await history.sql(`UPDATE part SET ${columns} WHERE id = (SELECT id FROM message WHERE seq = 2) + ${idx}`);
}

// K02, H01
describe('An old conversation that was left broken', () => {
  it.each([
    [
      'has a call that never got its result',
      2,
      `state = 'running', data = '{"name":"read_file","arguments":{"path":"b"}}'`,
    ],
    ['has a call that still waits', 1, `state = 'pending', data = '{"name":"read_file","arguments":{"path":"a"}}'`],
    ['has a call that is done and has no result', 1, `data = '{"name":"read_file","arguments":{}}'`],
    ['has arguments that are no object', 1, `data = '{"name":"read_file","arguments":"{}","result":{"content":"A"}}'`],
    ['has half a character in the answer', 0, `data = '{"text":"cut ${HALF}"}'`],
    [
      'has half a character in a result',
      1,
      `data = '{"name":"read_file","arguments":{},"result":{"content":"${HALF}"}}'`,
    ],
    [
      'has half a character in the arguments and their names',
      1,
      `data = '{"name":"read_file","arguments":{"${HALF}":["${HALF}"]},"result":{"content":"A"}}'`,
    ],
    [
      'has half a character in the name of a tool',
      1,
      `data = '{"name":"read${HALF}","arguments":{},"result":{"content":"A"}}'`,
    ],
    [
      'has half a character in the id of a call',
      1,
      `data = '{"name":"a","callId":"${HALF}","arguments":{},"result":{"content":"A"}}'`,
    ],
    ['has a part that nobody understands', 1, `type = 'hologram', data = '{"${HALF}":1}'`],
  ])('and %s is repaired in the request, and goes on', async (_, idx, columns) => {
    const id = await written();
    await damage(idx, columns);
    const live = await opened((await history.open()).registry, id);
    history.server.script(say('Going on.'));
    await ask(live, 'go on');
    await idle(live);
    expect(live.transcript.messages.at(-1)).toMatchObject({ role: 'assistant', status: 'done' });
    expect(history.server.chats).toHaveLength(3);
    expect(faultsOf(history.server.chats[2]?.body, { question: 'go on' })).toEqual([]);
  });

  it('shows half a character as U+FFFD', async () => {
    const id = await written();
    await damage(0, `data = '{"text":"cut ${HALF}"}'`);
    const live = await opened((await history.open()).registry, id);
    expect(live.transcript.messages[1]?.parts[0]).toEqual({ type: 'text', text: 'cut \ufffd' });
  });
});
