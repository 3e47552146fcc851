import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../src/protocol/ids';
import { say } from '../support/ollama/chatStep';
import { idle, MODEL } from '../support/windows/liveTalk';
import { SharedHistory } from '../support/windows/sharedHistory';
import { printOf } from './prints';
import { Remembered } from './remembered';
import { verify } from './verify';

let history: SharedHistory;
let remembered: Remembered;
let id: string;

beforeEach(async () => {
  history = await SharedHistory.make();
  remembered = new Remembered();
  const window = await history.open();
  const live = window.create();
  ({ id } = live);
  for (const number of [1, 2]) {
    const clientId = `question-${number}`;
    const text = `Question ${number}`;
    history.server.script(say(`Answer ${number}`));
    remembered.sent({ clientId, text });
    expect(await live.send(clientId as ClientId, text, MODEL)).toEqual({ ok: true });
    remembered.told({ kind: 'asked', clientId });
    remembered.told({ kind: 'kept', clientId });
    await idle(live);
    remembered.heard([`Answer ${number}`]);
  }
  const ended = live.transcript.messages.map((message) => ({ seq: message.seq, print: printOf(message) }));
  remembered.told({ kind: 'idle', ended });
  await history.close(window);
});

afterEach(() => history.remove());

const OF_MESSAGE = (seq: number): string => `(SELECT id FROM message WHERE seq = ${seq})`;

describe('Looking for what was said', () => {
  it('finds everything in a file to which nothing happened', async () => {
    expect(await verify(history.folder, id, remembered)).toEqual({ problems: [], quickCheck: 'ok', messages: 4 });
  });

  it.each([
    [
      'a word that was changed',
      `UPDATE part SET data = '{"text":"Question 9"}' WHERE id = ${OF_MESSAGE(1)}`,
      'question-1 is not as it was written.',
    ],
    [
      'an answer that is gone',
      `DELETE FROM part WHERE id = ${OF_MESSAGE(4)}`,
      'The answer is not in the file: Answer 2',
    ],
    ['a message that is gone', `DELETE FROM message WHERE seq = 3`, 'question-2 was kept, and it is gone.'],
    ['a message that is gone at the end', `DELETE FROM message WHERE seq = 4`, 'Message 4 is gone.'],
    [
      'an end that is another one',
      `UPDATE message SET status = 'aborted' WHERE seq = 2`,
      'Message 2 is not as it was.',
    ],
    ['a run that goes on', `UPDATE run SET state = 'live' WHERE id = 1`, '1 times: run that has not ended'],
  ])('notices %s', async (_, sql, problem) => {
    await history.sql(sql);
    const { problems } = await verify(history.folder, id, remembered);
    expect(problems).toContain(problem);
  });
});
