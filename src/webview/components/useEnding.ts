import type { Message } from '../../protocol/message';
import { endingOf, type Ending } from '../store/ending';
import { isSameModel, modelInfo } from '../store/modelName';
import { wholeAnswer } from '../store/rows';
import { usePage } from './context';

/** How a message ended badly, as things stand now; undefined when there is nothing to say of it. */
export function useEnding(message: Message | undefined): Ending | undefined {
  const page = usePage();
  if (message === undefined || message.status === 'streaming') return undefined;
  if (message.status === 'done' && message.reason === undefined) return undefined;
  const facts = page.facts.value;
  const chosen = page.model.value;
  const held = modelInfo(facts, message.model) !== undefined;
  const other = chosen !== undefined && message.model !== undefined && !isSameModel(chosen, message.model);
  const replaced = other && modelInfo(facts, chosen) !== undefined;
  const messages = page.live.peek()?.transcript.messages ?? [];
  const steps = wholeAnswer(messages, [message]).length;
  return endingOf(message, { host: facts?.server.host ?? '', steps, held, replaced });
}
