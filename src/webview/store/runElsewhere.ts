import { isOwnMessage, type Message } from '../../protocol/message';
import type { RunState } from '../../protocol/status';
import { isOpenEnded } from './rows';

/**
 * What another window's run is at, as far as its messages tell: only that window knows more. Idle where they do not
 * tell of one, as while changes of files are taken back.
 */
export function runElsewhere(messages: readonly Message[]): RunState {
  const last = messages.at(-1);
  if (last === undefined || (last.role === 'assistant' && !isOpenEnded(last))) return { kind: 'idle' };
  const startedAt = messages.findLast(isOwnMessage)?.createdAt ?? last.createdAt;
  if (last.role === 'user' || last.status !== 'streaming') return { kind: 'waiting', startedAt };
  if (last.parts.some((part) => part.type === 'tool' && part.state === 'awaiting_approval'))
    return { kind: 'awaiting_approval', startedAt };
  switch (last.parts.at(-1)?.type) {
    case undefined:
      return { kind: 'waiting', startedAt };
    case 'thinking':
      return { kind: 'thinking', startedAt };
    case 'tool':
      return { kind: 'tools', startedAt };
    case 'text':
    case 'attachment':
    case 'notice':
    case 'unknown':
      return { kind: 'writing', startedAt };
  }
}
