import type { ModelFailure } from './modelClient';

/**
 * Whether the same request may succeed in a moment, so that it can be sent again by itself. That holds only for a
 * request of which nothing has arrived: whoever asks must know.
 */
export function isPassing(failure: Pick<ModelFailure, 'reason' | 'status'>): boolean {
  switch (failure.reason) {
    case 'unreachable':
    case 'cut_off':
    case 'busy':
    case 'rate_limited':
    case 'runner_stopped':
    case 'cloud_unreachable':
      return true;
    case 'server_error':
      return failure.status === 502 || failure.status === 503 || failure.status === 504;
    case 'stalled':
    case 'model_not_found':
    case 'model_fault':
    case 'no_tools':
    case 'no_thinking':
    case 'no_chat':
    case 'overflow':
    case 'bad_request':
    case 'sign_in':
    case 'cloud_off':
    case 'forbidden':
    case 'load_failed':
    case 'internal':
      return false;
  }
}
