import { describe, expect, it } from 'vitest';
import { firstState, nextState, runState, type MailboxEvent, type MailboxState } from './mailbox';

const idle: MailboxState = { kind: 'idle', autonomy: 2 };
const running: MailboxState = { kind: 'running', step: { kind: 'thinking' }, startedAt: 5, autonomy: 2 };
const awaiting: MailboxState = { kind: 'awaiting_approval', startedAt: 5, autonomy: 2 };
const compacting: MailboxState = { kind: 'compacting', startedAt: 5, autonomy: 2 };
const undoing: MailboxState = { kind: 'undoing', startedAt: 5, autonomy: 2 };
const stopping: MailboxState = { kind: 'stopping', startedAt: 5 };
const suspended: MailboxState = { kind: 'suspended' };
const following: MailboxState = { kind: 'following' };
const STATES = [idle, running, awaiting, compacting, undoing, stopping, suspended, following];

const asked: MailboxEvent = { type: 'turn_asked', by: 'person', now: 9 };
const results: MailboxEvent = { type: 'turn_asked', by: 'results', now: 9 };
const compact: MailboxEvent = { type: 'compaction_asked', now: 9 };
const undo: MailboxEvent = { type: 'undo_asked', now: 9 };
const step: MailboxEvent = { type: 'step', step: { kind: 'writing' } };
const summary: MailboxEvent = { type: 'step', step: { kind: 'compacting' } };
const approval: MailboxEvent = { type: 'approval_asked' };
const answered: MailboxEvent = { type: 'approval_answered', now: 9 };
const stop: MailboxEvent = { type: 'stop_asked' };
const ended: MailboxEvent = { type: 'turn_ended' };
const leftOpen: MailboxEvent = { type: 'turn_suspended' };
const elsewhere: MailboxEvent = { type: 'owned_elsewhere' };
const gone: MailboxEvent = { type: 'owner_gone' };
const found: MailboxEvent = { type: 'found_suspended' };
const EVENTS = [
  asked,
  results,
  compact,
  undo,
  step,
  summary,
  approval,
  answered,
  stop,
  ended,
  leftOpen,
  elsewhere,
  gone,
  found,
];

const begun = (autonomy: number): MailboxState => ({
  kind: 'running',
  step: { kind: 'waiting' },
  startedAt: 9,
  autonomy,
});
const writing: MailboxState = { ...running, step: { kind: 'writing' } };
const inTools = (startedAt: number, autonomy: number): MailboxState => ({
  kind: 'running',
  step: { kind: 'tools' },
  startedAt,
  autonomy,
});
const atRest: MailboxState = { kind: 'idle', autonomy: 0 };

/** Every pair of state and event; a word is a refusal that holds it. */
const TABLE: readonly (readonly [MailboxState, MailboxEvent, MailboxState | string])[] = [
  [idle, asked, begun(3)],
  [idle, results, begun(1)],
  [idle, compact, { kind: 'compacting', startedAt: 9, autonomy: 2 }],
  [idle, undo, { kind: 'undoing', startedAt: 9, autonomy: 2 }],
  [idle, step, idle],
  [idle, summary, idle],
  [idle, approval, idle],
  [idle, answered, idle],
  [idle, stop, idle],
  [idle, ended, idle],
  [idle, leftOpen, idle],
  [idle, elsewhere, following],
  [idle, gone, idle],
  [idle, found, suspended],

  [running, asked, 'still being written'],
  [running, results, 'still being written'],
  [running, compact, 'still being written'],
  [running, undo, 'still being written'],
  [running, step, writing],
  [running, summary, compacting],
  [running, approval, awaiting],
  [running, answered, running],
  [running, stop, stopping],
  [running, ended, idle],
  [running, leftOpen, suspended],
  [running, elsewhere, following],
  [running, gone, running],
  [running, found, running],

  [awaiting, asked, 'waits for your leave'],
  [awaiting, results, 'waits for your leave'],
  [awaiting, compact, 'waits for your leave'],
  [awaiting, undo, 'waits for your leave'],
  [awaiting, step, awaiting],
  [awaiting, summary, awaiting],
  [awaiting, approval, awaiting],
  [awaiting, answered, inTools(5, 2)],
  [awaiting, stop, stopping],
  [awaiting, ended, idle],
  [awaiting, leftOpen, suspended],
  [awaiting, elsewhere, following],
  [awaiting, gone, awaiting],
  [awaiting, found, awaiting],

  [compacting, asked, 'being summarised'],
  [compacting, results, 'being summarised'],
  [compacting, compact, 'being summarised'],
  [compacting, undo, 'being summarised'],
  [compacting, step, writing],
  [compacting, summary, compacting],
  [compacting, approval, compacting],
  [compacting, answered, compacting],
  [compacting, stop, stopping],
  [compacting, ended, idle],
  [compacting, leftOpen, suspended],
  [compacting, elsewhere, following],
  [compacting, gone, compacting],
  [compacting, found, compacting],

  [undoing, asked, 'taken back'],
  [undoing, results, 'taken back'],
  [undoing, compact, 'taken back'],
  [undoing, undo, 'taken back'],
  [undoing, step, undoing],
  [undoing, summary, undoing],
  [undoing, approval, undoing],
  [undoing, answered, undoing],
  [undoing, stop, stopping],
  [undoing, ended, idle],
  [undoing, leftOpen, suspended],
  [undoing, elsewhere, following],
  [undoing, gone, undoing],
  [undoing, found, undoing],

  [stopping, asked, 'being stopped'],
  [stopping, results, 'being stopped'],
  [stopping, compact, 'being stopped'],
  [stopping, undo, 'being stopped'],
  [stopping, step, stopping],
  [stopping, summary, stopping],
  [stopping, approval, stopping],
  [stopping, answered, stopping],
  [stopping, stop, stopping],
  [stopping, ended, atRest],
  [stopping, leftOpen, suspended],
  [stopping, elsewhere, following],
  [stopping, gone, stopping],
  [stopping, found, stopping],

  [suspended, asked, begun(3)],
  [suspended, results, 'until you write'],
  [suspended, compact, 'waits for your leave'],
  [suspended, undo, 'waits for your leave'],
  [suspended, step, suspended],
  [suspended, summary, suspended],
  [suspended, approval, suspended],
  [suspended, answered, inTools(9, 0)],
  [suspended, stop, suspended],
  [suspended, ended, suspended],
  [suspended, leftOpen, suspended],
  [suspended, elsewhere, following],
  [suspended, gone, atRest],
  [suspended, found, suspended],

  [following, asked, 'another window'],
  [following, results, 'another window'],
  [following, compact, 'another window'],
  [following, undo, 'another window'],
  [following, step, following],
  [following, summary, following],
  [following, approval, following],
  [following, answered, following],
  [following, stop, following],
  [following, ended, following],
  [following, leftOpen, following],
  [following, elsewhere, following],
  [following, gone, atRest],
  [following, found, suspended],
];

describe('the mailbox', () => {
  it.each(TABLE)('in %o answers %o', (state, event, expected) => {
    const result = nextState(state, event);
    if (typeof expected === 'string')
      expect(result).toMatchObject({ ok: false, message: expect.stringContaining(expected) });
    else expect(result).toEqual({ ok: true, state: expected });
  });

  it('has an answer for every pair', () => {
    const pairs = new Set(TABLE.map(([state, event]) => `${STATES.indexOf(state)} ${EVENTS.indexOf(event)}`));
    expect(pairs.size).toBe(STATES.length * EVENTS.length);
    expect(TABLE).toHaveLength(STATES.length * EVENTS.length);
  });

  it('lets three turns in a row begin by themselves, and no more until the person writes', () => {
    let state = after(after(idle, asked), ended);
    for (let turn = 1; turn <= 3; turn += 1) state = after(after(state, results), ended);
    expect(nextState(state, results)).toMatchObject({ ok: false });
    expect(nextState(after(after(state, asked), ended), results)).toMatchObject({ ok: true });
  });

  it.each([
    ['after Stop', after(after(running, stop), ended)],
    ['after a restart', firstState({ elsewhere: false, suspended: false })],
    ['with calls that wait after a restart', firstState({ elsewhere: false, suspended: true })],
    ['while it follows', firstState({ elsewhere: true, suspended: false })],
    ['when the other window is gone', after(following, gone)],
  ])('lets no turn begin by itself %s', (_, state) => {
    expect(nextState(state, results)).toMatchObject({ ok: false });
  });

  it('shows a conversation that waits for an answer since a restart as one that can be written in', () => {
    expect(runState(suspended)).toEqual({ kind: 'idle' });
    expect(runState(compacting)).toEqual({ kind: 'compacting', startedAt: 5 });
    expect(runState(undoing)).toEqual({ kind: 'tools', startedAt: 5 });
  });
});

function after(state: MailboxState, event: MailboxEvent): MailboxState {
  const result = nextState(state, event);
  if (!result.ok) throw new Error(result.message);
  return result.state;
}
