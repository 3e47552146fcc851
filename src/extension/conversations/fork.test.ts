import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../protocol/ids';
import { holdUntil, say } from '../../../test/support/ollama/chatStep';
import { Gate } from '../../../test/support/ollama/gate';
import { ask, idle, said, until } from '../../../test/support/windows/liveTalk';
import { SharedHistory } from '../../../test/support/windows/sharedHistory';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

describe('a fork', () => {
  it('of a conversation that runs elsewhere starts with what is there, and both go on', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    const release = new Gate();
    history.server.script(say('Yes.'));
    history.server.script(say('Half'), holdUntil(release.opened), say(' and whole.'));
    await ask(live, 'Really?');
    await idle(live);
    await ask(live, 'Tell me');
    await until(live, () => said(live).at(-1)?.endsWith('Half') ?? false);
    const other = await two.see(live);
    await until(other, () => said(other).at(-1)?.endsWith('Half') ?? false);
    const fork = two.registry.fork(other);
    const start = ['user, done: Really?', 'assistant, done: Yes.', 'user, done: Tell me'];
    expect(said(fork)).toEqual([...start, 'assistant, interrupted: Half']);
    expect(fork.transcript.conversation.title).toBe('Really? (fork)');
    history.server.script(say('Another end.'));
    await ask(fork, 'Go on');
    await idle(fork);
    release.open();
    await idle(live);
    expect(said(live)).toEqual([...start, 'assistant, done: Half and whole.']);
    const third = await history.open();
    expect((await third.see(fork)).transcript).toEqual(fork.transcript);
    expect((await third.see(live)).transcript).toEqual(live.transcript);
  });

  it('while the file cannot be written is not saved, works, and is written later', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    history.server.script(say('Yes.'));
    await ask(live, 'Really?');
    await idle(live);
    const other = await two.see(live);
    const lock = await history.lock();
    expect(await other.send('x' as ClientId, 'Go on', 'm')).toMatchObject({ ok: false, offer: 'fork' });
    const fork = two.registry.fork(other);
    history.server.script(say('Here.'));
    await ask(fork, 'Go on');
    await idle(fork);
    expect(fork.status.save.kind).toBe('unsaved');
    await lock.letGo();
    await until(fork, () => fork.status.save.kind === 'saved');
    expect((await history.reopened(fork)).transcript).toEqual(fork.transcript);
  });
});

describe('a turn that began while the file failed, in a conversation that another window ran meanwhile', () => {
  it('is kept whole in a fork, and the conversation is as the other window left it', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    history.server.script(say('1'));
    await ask(live, 'One');
    await idle(live);
    const lock = await history.lock();
    const release = new Gate();
    history.server.script(say('Unsaved'), holdUntil(release.opened), say('.'));
    await ask(live, 'Two, not saved');
    await until(live, () => said(live).at(-1)?.endsWith('Unsaved') ?? false);
    // The other window gets the file first.
    const other = await two.see(live);
    await lock.run(
      `INSERT INTO run (conversation, owner, host, fence, state) SELECT id, 'o', 'h', 2, 'ended' FROM conversation`,
    );
    await lock.letGo();
    await until(live, () => one.rescued.length > 0);
    const [fork] = one.rescued;
    await expect.poll(() => fork!.status.save.kind).toBe('saved');
    expect(said(fork!).slice(0, 3)).toEqual(['user, done: One', 'assistant, done: 1', 'user, done: Two, not saved']);
    expect(said(fork!)[3]).toMatch(/^assistant, interrupted: Unsaved/);
    await until(live, () => live.status.owner === 'none');
    expect(said(live)).toEqual(['user, done: One', 'assistant, done: 1']);
    expect((await two.see(fork!)).transcript).toEqual(fork!.transcript);
    expect(said(other)).toEqual(said(live));
  });
});

describe('a turn that is not saved', () => {
  it('is kept in a fork before what another window wrote takes its place', async () => {
    const one = await history.open();
    const live = one.create();
    history.server.script(say('1'));
    await ask(live, 'One');
    await idle(live);
    // A newer build takes the file over: nothing of this window is written from now on.
    await history.sql(`UPDATE meta SET value = '99' WHERE key = 'min_writer'`);
    history.server.script(say('Unsaved.'));
    await ask(live, 'Two, not saved');
    await idle(live);
    await history.sql(
      `INSERT INTO run (conversation, owner, host, fence, state) SELECT id, 'o', 'h', 2, 'ended' FROM conversation`,
      `INSERT INTO change (conversation, kind) SELECT id, 'run' FROM conversation`,
    );
    await expect.poll(() => one.rescued.length, { timeout: 5_000 }).toBe(1);
    expect(said(one.rescued[0]!)).toEqual([
      'user, done: One',
      'assistant, done: 1',
      'user, done: Two, not saved',
      'assistant, done: Unsaved.',
    ]);
    await expect.poll(() => said(live), { timeout: 5_000 }).toEqual(['user, done: One', 'assistant, done: 1']);
    await history.sql(`UPDATE meta SET value = '1' WHERE key = 'min_writer'`);
    one.store.retryNow();
    await expect.poll(() => one.rescued[0]?.status.save.kind, { timeout: 5_000 }).toBe('saved');
    const stored = await history.reopened(one.rescued[0]!);
    expect(stored.transcript).toEqual(one.rescued[0]?.transcript);
  });
});
