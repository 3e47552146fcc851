import { refuse } from './chatRequest';
import type { ChatRequest, Refusal } from './chatRequest';
import { versionIsAtLeast } from './serverVersion';

/** The release that knows the two flags; older servers always cut and always shift. */
const FLAGS_SINCE = '0.12.6';

/** Whether generation goes on past the end of the window, at the cost of old context. */
export function isShifting(request: Pick<ChatRequest, 'shift'>, version: string): boolean {
  return request.shift !== false || !versionIsAtLeast(version, FLAGS_SINCE);
}

/**
 * Refuses a prompt that does not fit and may not be cut, in the words of the version.
 * @param count tokens of a request's prompt
 */
export function findOverflow(
  request: ChatRequest,
  contextLength: number,
  version: string,
  count: (request: ChatRequest) => number,
): Refusal | undefined {
  if (!versionIsAtLeast(version, FLAGS_SINCE)) return undefined;
  if (request.truncate === false) {
    const tokens = count(request);
    if (tokens < contextLength) return undefined;
    return refuse(
      400,
      versionIsAtLeast(version, '0.30.0')
        ? runnerError(tokens, contextLength)
        : 'the input length exceeds the context length',
    );
  }
  if (isShifting(request, version)) return undefined;
  // Ollama protocol: system messages and the last message are never dropped.
  const last = request.messages.length - 1;
  const kept = request.messages.filter(({ role }, index) => role === 'system' || index === last);
  if (count({ ...request, messages: kept }) < contextLength) return undefined;
  return refuse(
    400,
    'the prompt is longer than the context length currently available to the model; shorten the prompt or increase the context length',
  );
}

/** The error of the program that runs the model, as JSON text: the server passes it on as it is. */
function runnerError(tokens: number, contextLength: number): string {
  return JSON.stringify({
    error: {
      code: 400,
      message: `request (${tokens} tokens) exceeds the available context size (${contextLength} tokens), try increasing it`,
      type: 'exceed_context_size_error',
      n_prompt_tokens: tokens,
      n_ctx: contextLength,
    },
  });
}
