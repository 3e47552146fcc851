import type { Message } from '../../protocol/message';
import { endingWords as words } from '../endingWords';
import { strings } from '../strings';
import type { Tone } from '../tone';

/** Something that a person may do next. The first one offered is what most would do. */
export type Offer = 'continue' | 'retry' | 'pull' | 'choose' | 'compact' | 'window' | 'host' | 'log';

/** How an answer ended badly, in words: the fact, what it means, and what is kept. */
export interface Ending {
  readonly group: string;
  readonly icon: string;
  readonly tone: Tone;
  readonly lead: string;
  readonly text: string;
  /** What can be done next, as long as it is the last answer. */
  readonly advice?: string;
  /** A command for a terminal that helps. */
  readonly command?: string;
  /** All but the log only as long as it is the last answer. */
  readonly offers: readonly Offer[];
}

/** What is known beside the message. */
export interface Circumstances {
  /** The address of the server, as the person would type it. */
  readonly host: string;
  /** Requests of the turn that ended. */
  readonly steps: number;
  /** Whether the model is on the server now. */
  readonly held: boolean;
  /** Whether another model has been chosen since, which is there. */
  readonly replaced: boolean;
}

/** What to say under a message that did not end well; undefined when it did, or the person stopped it. */
export function endingOf(message: Message, { host, steps, held, replaced }: Circumstances): Ending | undefined {
  if (message.status === 'streaming') return undefined;
  const model = message.model ?? strings.unknownModel;
  const goOn: readonly Offer[] = hasContent(message) ? ['continue', 'retry'] : ['retry'];
  switch (message.reason ?? (message.status === 'error' ? 'internal' : 'stop')) {
    case 'stop':
      return undefined;
    case 'crash':
      return interrupted(message, toolInterrupted(message) ? words.crash.tool : words.crash.writing, goOn);
    case 'takeover':
      return interrupted(message, words.crash.takenOver, []);
    case 'fork':
      return interrupted(message, words.crash.forked, ['retry']);
    case 'length': {
      const { inCall, ...rest } = words.length;
      return warning({ ...rest, ...(message.status === 'error' ? { text: inCall } : {}), offers: ['continue'] });
    }
    case 'step_limit':
      // The limit itself, when it is told: the last word, which sums up, was one more request.
      return stopped({
        ...words.stepLimit,
        lead: words.stepLimit.lead(Number(message.detail ?? steps) || steps),
        offers: ['continue'],
      });
    case 'repeated_calls':
      return stopped({ ...words.repeatedCalls, offers: ['retry', 'choose'] });
    case 'tool_errors':
      return stopped({ ...words.toolErrors, offers: ['continue', 'retry'] });
    case 'too_long':
      return warning({ ...words.tooLong, offers: goOn });
    case 'context_full':
      return full({ ...words.contextFull, offers: ['window', 'choose'] });
    case 'overflow':
      return full({ ...words.overflow, offers: ['compact', 'window'] });
    case 'cut_off': {
      const { cutOff } = words;
      return { ...broken({ ...cutOff, text: cutOff.text(message.usage?.answerTokens), offers: goOn }) };
    }
    case 'stalled':
      return broken({ ...words.stalled, offers: goOn });
    case 'unreachable':
      return broken({ ...words.unreachable, text: words.unreachable.text(host), offers: ['retry'] });
    case 'cloud_unreachable':
      return broken({ ...ofModel(words.cloudUnreachable, model), offers: ['retry', 'choose'] });
    case 'model_not_found': {
      const { group, lead, text, leadNow, textNow } = words.modelNotFound;
      return held
        ? failed({ group, lead: leadNow(model), text: textNow, offers: ['retry', 'choose'] })
        : failed({ group, lead: lead(model), text, offers: [replaced ? 'retry' : 'pull', 'choose'] });
    }
    case 'model_fault': {
      const { row: _, ...rest } = words.modelFault;
      return failed({ ...rest, offers: ['retry', 'choose'] });
    }
    case 'no_tools':
      return failed({ ...ofModel(words.noTools, model), offers: ['choose'] });
    case 'no_thinking':
      return failed({ ...ofModel(words.noThinking, model), offers: ['retry', 'choose'] });
    case 'no_chat':
      return failed({ ...ofModel(words.noChat, model), offers: ['choose'] });
    case 'bad_request':
      return failed({ ...words.badRequest, offers: ['retry'] });
    case 'sign_in':
      return failed({ ...ofModel(words.signIn, model), command: 'ollama signin', offers: ['retry', 'choose'] });
    case 'cloud_off':
      return failed({ ...ofModel(words.cloudOff, model), offers: ['choose'] });
    case 'forbidden':
      return failed({ ...words.forbidden, text: words.forbidden.text(host), offers: ['retry', 'host'] });
    case 'busy':
      return failed({ ...words.busy, offers: ['retry'] });
    case 'rate_limited':
      return failed({ ...ofModel(words.rateLimited, model), offers: ['retry', 'choose'] });
    case 'load_failed':
      return failed({ ...ofModel(words.loadFailed, model), offers: ['choose', 'window', 'retry'] });
    case 'runner_stopped':
      return failed({ ...ofModel(words.runnerStopped, model), offers: ['retry', 'choose', 'window'] });
    case 'empty':
      return failed({ ...words.empty, offers: ['retry'] });
    case 'internal':
      return failed({ ...words.internal, offers: ['retry', 'log'] });
    case 'server_error':
      return failed({ ...words.serverError, offers: ['retry'] });
  }
}

type Words = Omit<Ending, 'icon' | 'tone'>;

function failed(ending: Words): Ending {
  return { ...ending, icon: 'error', tone: 'bad' };
}

function broken(ending: Words): Ending {
  return { ...ending, icon: 'debug-disconnect', tone: 'bad' };
}

function warning(ending: Words): Ending {
  return { ...ending, icon: 'debug-disconnect', tone: 'warn' };
}

function stopped(ending: Words): Ending {
  return { ...ending, icon: 'stop-circle', tone: 'warn' };
}

function full(ending: Words): Ending {
  return { ...ending, icon: 'warning', tone: 'warn' };
}

function ofModel<W extends { readonly lead: (model: string) => string }>(
  named: W,
  model: string,
): Omit<W, 'lead'> & { readonly lead: string } {
  return { ...named, lead: named.lead(model) };
}

function interrupted(message: Message, text: string, offers: readonly Offer[]): Ending {
  const { group, lead, advice } = words.crash;
  return stopped({ group, lead: lead(message.endedAt ?? message.createdAt), text, advice, offers });
}

/** Whether there is something to go on from. */
function hasContent(message: Message): boolean {
  return message.parts.some((part) => part.type !== 'text' || part.text.trim() !== '');
}

function toolInterrupted(message: Message): boolean {
  return message.parts.some((part) => part.type === 'tool' && part.state === 'interrupted');
}
