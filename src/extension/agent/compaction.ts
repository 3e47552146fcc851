import type { TurnInput } from './turn';

/** What came of a try to make the conversation smaller for the model. */
export type Compaction =
  | { readonly kind: 'compacted' }
  /** There is nothing that could be left out. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'stopped' };

/** Whether the next request takes so much of the window that older messages should be summarised first. */
export function isOverThreshold(_input: TurnInput): boolean {
  return false;
}

/**
 * Summarises what is older for the model, as a notice in the transcript; the transcript keeps every word. When the model
 * writes no summary, one is made of what the person asked and what was done. Never rejects.
 */
export function compact(_input: TurnInput, _signal: AbortSignal): Promise<Compaction> {
  return Promise.resolve({ kind: 'nothing' });
}
