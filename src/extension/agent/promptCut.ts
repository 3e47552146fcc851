import type { Message, Usage } from '../../protocol/message';
import { PROMPT_CUT_SHARE, PROMPT_CUT_TOKENS } from '../base/limits';

/**
 * Whether the server read much less than it was told, so that it has silently cut the conversation: by what was
 * expected, which is taken down where the estimates for this model have been too high, and by the request before, which
 * was no longer and of which more was read. `messages` are those before this one, `imageTokens` is what was estimated for
 * images: models differ too much there to be held to it.
 */
export function isPromptCut(usage: Usage, model: string, messages: readonly Message[], imageTokens: number): boolean {
  const { promptTokens, estimatedTokens } = usage;
  if (promptTokens === undefined || estimatedTokens === undefined) return false;
  const words = estimatedTokens - imageTokens;
  if (words < PROMPT_CUT_TOKENS) return false;
  const before = messages.findLast((message) => message.model === model && figuresOf(message) !== undefined);
  const known = before === undefined ? undefined : figuresOf(before);
  const wasCut = before?.notes?.includes('prompt_cut') === true;
  const correction = known === undefined || wasCut ? 1 : Math.min(1, known.read / known.estimated);
  if (promptTokens < words * correction * PROMPT_CUT_SHARE) return true;
  return known !== undefined && !wasCut && known.estimated <= estimatedTokens && promptTokens < known.read * 0.9;
}

function figuresOf(message: Message): { readonly read: number; readonly estimated: number } | undefined {
  const { promptTokens, estimatedTokens } = message.usage ?? {};
  if (promptTokens === undefined || estimatedTokens === undefined || estimatedTokens === 0) return undefined;
  return { read: promptTokens, estimated: estimatedTokens };
}
