import { describe, expect, it } from 'vitest';
import { nextState, type MailboxEvent, type MailboxState } from './mailbox';

const idle: MailboxState = { kind: 'idle' };
const running: MailboxState = { kind: 'running', step: { kind: 'thinking' }, startedAt: 5 };
const stopping: MailboxState = { kind: 'stopping', startedAt: 5 };
const following: MailboxState = { kind: 'following' };

const asked: MailboxEvent = { type: 'turn_asked', now: 9 };
const step: MailboxEvent = { type: 'step', step: { kind: 'writing' } };
const stop: MailboxEvent = { type: 'stop_asked' };
const ended: MailboxEvent = { type: 'turn_ended' };
const elsewhere: MailboxEvent = { type: 'owned_elsewhere' };
const gone: MailboxEvent = { type: 'owner_gone' };

/** Every pair of state and event; a word is a refusal that holds it. */
const TABLE: readonly (readonly [MailboxState, MailboxEvent, MailboxState | string])[] = [
  [idle, asked, { kind: 'running', step: { kind: 'waiting' }, startedAt: 9 }],
  [idle, step, idle],
  [idle, stop, idle],
  [idle, ended, idle],
  [idle, elsewhere, following],
  [idle, gone, idle],
  [running, asked, 'still being written'],
  [running, step, { kind: 'running', step: { kind: 'writing' }, startedAt: 5 }],
  [running, stop, stopping],
  [running, ended, idle],
  [running, elsewhere, following],
  [running, gone, running],
  [stopping, asked, 'being stopped'],
  [stopping, step, stopping],
  [stopping, stop, stopping],
  [stopping, ended, idle],
  [stopping, elsewhere, following],
  [stopping, gone, stopping],
  [following, asked, 'another window'],
  [following, step, following],
  [following, stop, following],
  [following, ended, following],
  [following, elsewhere, following],
  [following, gone, idle],
];

describe('the mailbox', () => {
  it.each(TABLE)('in %o answers %o', (state, event, expected) => {
    const result = nextState(state, event);
    if (typeof expected === 'string')
      expect(result).toMatchObject({ ok: false, message: expect.stringContaining(expected) });
    else expect(result).toEqual({ ok: true, state: expected });
  });

  it('has an answer for every pair', () => {
    expect(new Set(TABLE.map(([state, event]) => `${state.kind} ${event.type}`)).size).toBe(4 * 6);
  });
});
