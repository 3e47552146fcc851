import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, done, holdUntil, say, type ChatStep } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import { ask, idle, said, until } from '../../../../test/support/windows/liveTalk';
import { SharedHistory } from '../../../../test/support/windows/sharedHistory';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

const CALL = '{"name": "read_file", "arguments": {"path": "a.ts"}}';

/** Words that a window has shown as text before they turn out to be something else. */
const CASES: readonly (readonly [string, string, readonly ChatStep[], readonly ChatStep[]])[] = [
  ['thinking', 'Hm, let me see', say('.', '</think>', 'Yes.'), []],
  ['a call', CALL.slice(0, 30), say(CALL.slice(30)), say('There is none.')],
];

describe('an answer whose text turns out to be', () => {
  it.each(CASES)('%s is the same in a window that follows and after a restart', async (_, shown, rest, next) => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    const more = new Gate();
    history.server.script(say(shown), holdUntil(more.opened), ...rest);
    history.server.script(...next);
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith(shown) ?? false);
    const other = await two.see(live);
    await until(other, () => said(other).at(-1)?.endsWith(shown) ?? false);
    more.open();
    await idle(live);
    await until(other, () => other.status.owner === 'none');
    expect(other.transcript).toEqual(live.transcript);
    expect(other.transcript.messages[1]?.parts[0]?.type).not.toBe('text');
    expect((await history.reopened(live)).transcript).toEqual(live.transcript);
  });
});

describe('an answer that has a note', () => {
  it('has it in a window that follows, too, while the turn goes on', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    const [call, more] = [new Gate(), new Gate()];
    history.server.script(
      say('Well'),
      holdUntil(call.opened),
      callTool('read_file', { path: 'a.ts' }),
      done({ prompt_eval_count: 20 }),
    );
    history.server.script(holdUntil(more.opened), say('There is none.'));
    await ask(live, 'word '.repeat(4_000));
    await until(live, () => said(live).at(-1)?.endsWith('Well') ?? false);
    const other = await two.see(live);
    await until(other, () => said(other).at(-1)?.endsWith('Well') ?? false);
    call.open();
    await until(other, () => other.transcript.messages[1]?.status === 'done');
    expect(live.transcript.messages[1]?.notes).toEqual(['prompt_cut']);
    expect(other.transcript.messages[1]).toEqual(live.transcript.messages[1]);
    more.open();
    await idle(live);
  });
});

describe('how full the window of the model is', () => {
  it('is told of a conversation that is opened, and anew when another window went on with it', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    history.server.script(say('Well.'));
    await ask(live, 'Go');
    await idle(live);
    const tokens = live.status.context?.tokens ?? 0;
    expect(tokens).toBeGreaterThan(0);
    const other = await two.see(live);
    expect(other.status.context).toMatchObject({ tokens, reported: true });
    history.server.script(say('A long answer. '.repeat(100)));
    await ask(other, 'Go on');
    await idle(other);
    await until(live, () => said(live).length === 4 && live.status.owner === 'none');
    expect(live.status.context?.tokens).toBe(other.status.context?.tokens);
    expect(live.status.context?.tokens).toBeGreaterThan(tokens + 300);
  });
});
