import type { Message } from '../../protocol/message';

/**
 * Answers how many tokens the server will count for the next prompt, of which `estimate` tokens are estimated: by its own
 * figures for the conversation so far.
 */
export function contextForecast(_messages: readonly Message[]): (estimate: number) => number {
  return (estimate) => estimate;
}
