import type { Leave } from '../../../src/extension/agent/leave';

/** Everything may be done. */
export const ALL_ALLOWED: Leave = {
  decide: () => Promise.resolve({ kind: 'allow' }),
  given: () => undefined,
  answer: () => Promise.resolve(undefined),
};
