import type { AskReason, Grant } from '../../../protocol/approval';

/** Whether something may be done. `ask`: the person has to be asked, for these reasons. */
export type Decision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly reasons: readonly AskReason[]; readonly grants: readonly Grant[] }
  /** It may not be done at all here: `sentence` tells the model. */
  | { readonly kind: 'refuse'; readonly sentence: string };
