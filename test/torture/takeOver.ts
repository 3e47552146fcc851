import type { LiveConversation } from '../../src/extension/conversations/liveConversation';
import type { Reply } from '../../src/protocol/wire';

interface TakesOver {
  continueHere(): Promise<Reply>;
}

/** Taking over by the person's wish, in builds that can. */
export function canTakeOver(live: LiveConversation): live is LiveConversation & TakesOver {
  return 'continueHere' in live && typeof live.continueHere === 'function';
}
