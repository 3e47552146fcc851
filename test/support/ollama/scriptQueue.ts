import type { ChatRequest } from './chatRequest';
import type { ChatScript, ChatStep } from './chatStep';

/** Makes the answer to a chat request. */
export type ChatAnswerer = (request: ChatRequest) => ChatScript;

/** An answer as a test states it: steps and groups of steps in their order, or one function of the request. */
export type ScriptParts = readonly [ChatAnswerer] | readonly (ChatStep | readonly ChatStep[])[];

/** The answers that a test has queued. */
export class ScriptQueue {
  private readonly entries: { readonly wanted: (request: ChatRequest) => boolean; readonly answer: ChatAnswerer }[] =
    [];

  /** Queues an answer for the chats that `wanted` accepts. */
  add(wanted: (request: ChatRequest) => boolean, parts: ScriptParts): void {
    const steps: ChatStep[] = [];
    for (const part of parts) {
      if (typeof part === 'function') {
        this.entries.push({ wanted, answer: part });
        return;
      }
      steps.push(...[part].flat());
    }
    this.entries.push({ wanted, answer: () => steps });
  }

  /** Takes the oldest answer that is meant for this request. */
  take(request: ChatRequest): ChatAnswerer | undefined {
    const place = this.entries.findIndex(({ wanted }) => wanted(request));
    const [entry] = place < 0 ? [] : this.entries.splice(place, 1);
    return entry?.answer;
  }
}
