import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ConversationId } from '../../../protocol/ids';
import { RunningCommands } from '../../tools/commands/runningCommands';
import { ToolSessions } from './toolSessions';

const [ONE, OTHER] = ['one' as ConversationId, 'other' as ConversationId];

describe('what tools remember of a conversation', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('lives from turn to turn, for each conversation on its own', () => {
    const sessions = new ToolSessions(tmpdir());
    const first = sessions.forTurn(ONE, new AbortController().signal);
    first.seen.told('a.ts', 'hash', true);
    expect(sessions.forTurn(ONE, new AbortController().signal)).toBe(first);
    expect(sessions.forTurn(OTHER, new AbortController().signal).seen.hashOf('a.ts')).toBeUndefined();
  });

  it('ends the commands of a conversation when its turn is aborted, and of no other', () => {
    const stopped: RunningCommands[] = [];
    vi.spyOn(RunningCommands.prototype, 'stopAll').mockImplementation(function (this: RunningCommands) {
      stopped.push(this);
      return Promise.resolve();
    });
    const sessions = new ToolSessions(tmpdir());
    const turn = new AbortController();
    const { commands } = sessions.forTurn(ONE, turn.signal);
    sessions.forTurn(OTHER, new AbortController().signal);
    expect(stopped).toEqual([]);
    turn.abort('stop');
    expect(stopped).toEqual([commands]);
    sessions.forTurn(ONE, turn.signal);
    expect(stopped).toEqual([commands, commands]);
  });

  it('ends all of them when the window ends', async () => {
    const stop = vi.spyOn(RunningCommands.prototype, 'stopAll');
    const sessions = new ToolSessions(tmpdir());
    for (const id of [ONE, OTHER]) sessions.forTurn(id, new AbortController().signal);
    await sessions.dispose();
    expect(stop).toHaveBeenCalledTimes(2);
  });
});
