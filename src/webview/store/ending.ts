import type { Message } from '../../protocol/message';
import { strings } from '../strings';
import type { Tone } from '../tone';

/** How an answer ended badly, in words: the fact, what it means, and what is kept. */
export interface Ending {
  readonly group: string;
  readonly icon: string;
  readonly tone: Tone;
  readonly lead: string;
  readonly text: string;
  /** What can be done next, as long as it is the last answer. */
  readonly advice?: string;
}

/** What to say under a message that did not end well; undefined when it did, or the person stopped it. */
export function endingOf(message: Message, host: string): Ending | undefined {
  if (message.status === 'streaming') return undefined;
  const reason = message.reason ?? (message.status === 'error' ? 'internal' : undefined);
  switch (reason) {
    case undefined:
    case 'stop':
      return undefined;
    case 'crash':
      return interrupted(message, toolInterrupted(message) ? strings.interrupted.tool : strings.interrupted.writing);
    case 'takeover':
      return interrupted(message, strings.interrupted.takenOver);
    case 'fork':
      return interrupted(message, strings.interrupted.forked);
    case 'length':
      return { ...strings.length, icon: 'debug-disconnect', tone: 'warn' };
    case 'step_limit':
      return { ...strings.stepLimit, icon: 'stop-circle', tone: 'warn' };
    case 'cut_off': {
      const { group, lead, text, advice } = strings.cutOff;
      const tokens = message.usage?.answerTokens;
      return { group, icon: 'debug-disconnect', tone: 'bad', lead, text: text(tokens), advice };
    }
    case 'unreachable': {
      const { group, lead, text } = strings.unreachable;
      return { group, icon: 'debug-disconnect', tone: 'bad', lead, text: text(host) };
    }
    case 'model_not_found': {
      const { group, lead, text } = strings.modelNotFound;
      return { group, icon: 'error', tone: 'bad', lead: lead(message.model ?? strings.unknownModel), text };
    }
    case 'empty':
      return { ...strings.emptyAnswer, icon: 'error', tone: 'bad' };
    case 'internal':
      return { ...strings.internal, icon: 'error', tone: 'bad' };
    default:
      return { ...strings.serverError, icon: 'error', tone: 'bad' };
  }
}

function interrupted(message: Message, text: string): Ending {
  const { group, lead, advice } = strings.interrupted;
  return { group, icon: 'stop-circle', tone: 'warn', lead: lead(message.endedAt ?? message.createdAt), text, advice };
}

function toolInterrupted(message: Message): boolean {
  return message.parts.some((part) => part.type === 'tool' && part.state === 'interrupted');
}

/** Whether trying the same again is what a person would do next, so that the notice itself offers it. */
export function offersRetry(message: Message): boolean {
  return endingOf(message, '') !== undefined && !NO_RETRY.has(message.reason);
}

const NO_RETRY: ReadonlySet<Message['reason']> = new Set(['length', 'step_limit', 'takeover']);
