import { describe, expect, it } from 'vitest';
import type { ClientId } from '../../../protocol/ids';
import type { QueuedMessage } from '../../../protocol/status';
import { afterTurn, type AfterTurn, type EndedTurn } from './turnEnd';

const queued = (id: string): QueuedMessage => ({ clientId: id as ClientId, text: id, createdAt: 0 });
const send = (id: string): AfterTurn => ({ kind: 'send', clientId: id as ClientId });
const rest: AfterTurn = { kind: 'rest' };
const deliver: AfterTurn = { kind: 'deliver' };
const both = [queued('a'), queued('b')];
const wantsB = 'b' as ClientId;

const nothing: EndedTurn = { how: 'well', wanted: undefined, queue: [], undelivered: 0, autonomy: 3 };

describe('after a turn', () => {
  it.each<readonly [string, Partial<EndedTurn>, AfterTurn]>([
    ['nothing waits', {}, rest],
    ['messages wait', { queue: both, undelivered: 2 }, send('a')],
    ['results wait', { undelivered: 2 }, deliver],
    ['results wait and no more turns may begin by themselves', { undelivered: 2, autonomy: 0 }, rest],
    ['a message was to be sent next', { queue: both, wanted: wantsB }, send('b')],
    ['that message was taken out meanwhile', { queue: [queued('a')], wanted: wantsB }, send('a')],
    ['it was stopped', { how: 'stopped', queue: both, undelivered: 2 }, rest],
    ['it was stopped to send a message', { how: 'stopped', queue: both, wanted: wantsB }, send('b')],
    ['it was stopped, and the message to send is gone', { how: 'stopped', queue: [queued('a')], wanted: wantsB }, rest],
    ['it failed', { how: 'badly', queue: both, undelivered: 2 }, rest],
    ['it failed, and a message was to be sent next', { how: 'badly', queue: both, wanted: wantsB }, send('b')],
  ])('of which %s', (_, known, expected) => {
    expect(afterTurn({ ...nothing, ...known })).toEqual(expected);
  });
});
