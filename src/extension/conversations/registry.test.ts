import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdUntil } from '../../../test/support/ollama/chatStep';
import { Gate } from '../../../test/support/ollama/gate';
import { ask, idle, MODEL } from '../../../test/support/windows/liveTalk';
import { OTHER_MODEL, SharedHistory } from '../../../test/support/windows/sharedHistory';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

describe('the conversations of a window', () => {
  it('are counted by the model that they run with now', async () => {
    const window = await history.open();
    const [one, two, three] = [window.create(), window.create(), window.create()];
    const running = (): readonly number[] => [MODEL, OTHER_MODEL].map((model) => window.registry.runningWith(model));
    expect(running()).toEqual([0, 0]);
    const never = new Gate();
    for (let answer = 0; answer < 3; answer += 1) history.server.script(holdUntil(never.opened));
    await ask(one, 'One');
    await ask(two, 'Two');
    await ask(three, 'Three', OTHER_MODEL);
    expect(running()).toEqual([2, 1]);
    // What it runs with is what it began with.
    one.chooseModel(OTHER_MODEL);
    expect(running()).toEqual([2, 1]);
    two.stop();
    await idle(two);
    expect(running()).toEqual([1, 1]);
  });
});
