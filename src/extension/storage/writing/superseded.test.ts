import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../protocol/ids';
import type { ToolState } from '../../../protocol/part';
import type { Change, Command } from '../change';
import { supersededBy } from './superseded';

const ID = ulid() as ConversationId;

function command(change: Change, fence = 1, conversationId = ID): Command {
  return { conversationId, fence, at: 1, change };
}

function delta(idx: number): Change {
  return { type: 'delta', seq: 1, idx, chunk: 0, at: 0, text: 'x' };
}

function call(state: ToolState): Change {
  return { type: 'part_set', seq: 1, idx: 0, part: { type: 'tool', name: 't', state, arguments: {} } };
}

describe('a part that is written whole while others wait', () => {
  it('makes its own chunks needless, and no others', () => {
    const waiting = [
      command(delta(0)),
      command(delta(1)),
      command(delta(0), 2),
      command(delta(0), 1, ulid() as ConversationId),
      command(delta(0)),
    ];
    const next = command({ type: 'part_set', seq: 1, idx: 0, part: { type: 'text', text: 'xx' } });
    expect([...supersededBy(next, waiting)]).toEqual([0, 4]);
    expect([...supersededBy(command(delta(0)), waiting)]).toEqual([]);
  });

  it('leaves that its call was asked for and that it began, and not what it printed since', () => {
    const states: readonly ToolState[] = ['awaiting_approval', 'running', 'running', 'running'];
    const waiting = states.map((state) => command(call(state)));
    expect([...supersededBy(command(call('running')), waiting)]).toEqual([2, 3]);
    expect([...supersededBy(command(call('done')), waiting)]).toEqual([2, 3]);
  });
});
