import { REQUEST_RETRY_FIRST_MS, REQUEST_RETRY_LONGEST_MS, REQUEST_WAIT_LONGEST_MS } from '../base/limits';
import type { ModelFailure } from '../ollama/modelClient';

/** How long (ms) to wait before the `attempt`th try after a failure, counted from 1: longer each time, or as told. */
export function retryDelay(attempt: number, failure: ModelFailure): number {
  const own = Math.min(REQUEST_RETRY_FIRST_MS * 2 ** (attempt - 1), REQUEST_RETRY_LONGEST_MS);
  return Math.max(own, Math.min(failure.retryAfterMs ?? 0, REQUEST_WAIT_LONGEST_MS));
}
