import type { ServerFault } from '../../protocol/message';

/**
 * Texts of Ollama's server (Go source, 0.1 to 0.32), and what they mean. They are the only way to tell most failures
 * apart: an error within a stream has no status, and 400 and 500 stand for many things. The first match wins; whatever
 * matches nothing is judged by its status.
 */
const TEXTS: readonly (readonly [text: RegExp, fault: ServerFault])[] = [
  // A model that starts or runs may name its window in what it says, so these come before the window.
  [/timed out waiting for llama/i, 'load_failed'],
  [
    /requires more system memory|unable to load model|(?:error|failed) (?:loading|to load) (?:the )?model/i,
    'load_failed',
  ],
  [/(?:runner|llama-server) process (?:has )?(?:terminated|is no longer running)/i, 'runner_stopped'],
  [/model runner has unexpectedly stopped/i, 'runner_stopped'],
  [/error was encountered while running the model/i, 'runner_stopped'],
  [/CUDA error|out of memory/i, 'runner_stopped'],
  // Several wordings, some within JSON within the error.
  [/context[ _](?:length|size)/i, 'overflow'],
  [/does not support tools/i, 'no_tools'],
  [/does not support thinking|think value\b.* is not supported|invalid think value/i, 'no_thinking'],
  [/does not support (?:chat|completion|generate)/i, 'no_chat'],
  [/^model ['"].*['"] not found|pull model manifest: file does not exist/i, 'model_not_found'],
  // What the model wrote for a call, as the parsers of its family refuse it.
  [/error parsing tool call|invalid tool call arguments/i, 'model_fault'],
  [/failed to parse JSON|empty function name|XML syntax error|incomplete GLM tool call/i, 'model_fault'],
  // The server could make no prompt, or no options, of the request.
  [/no user query found in messages|^option ".*" must be of type|^invalid format:/i, 'bad_request'],
  [/ollama cloud is disabled/i, 'cloud_off'],
  [/server busy|maximum pending requests exceeded/i, 'busy'],
];

/** What an error that came within a stream means. */
export function faultOfWords(words: string): ServerFault {
  return faultInTexts(words) ?? 'server_error';
}

/**
 * What a refusal means. `fromOllama`: it is an error as Ollama writes it, so that the status means what Ollama means
 * by it; otherwise a proxy or another server speaks, whose words prove nothing.
 */
export function faultOfRefusal(status: number, words: string, fromOllama: boolean): ServerFault {
  const told = fromOllama ? faultInTexts(words) : undefined;
  if (told !== undefined) return told;
  switch (status) {
    case 400:
      return 'bad_request';
    case 401:
      // Without Ollama's words it is a proxy that wants to know who asks.
      return fromOllama ? 'sign_in' : 'forbidden';
    case 403:
      return 'forbidden';
    case 404:
      return fromOllama ? 'model_not_found' : 'server_error';
    case 429:
      return 'rate_limited';
    case 502:
    case 504:
      // Ollama itself stands behind the cloud only; a web page is of a proxy before it.
      return fromOllama ? 'cloud_unreachable' : 'server_error';
    case 503:
      return fromOllama ? 'busy' : 'server_error';
    default:
      return 'server_error';
  }
}

function faultInTexts(words: string): ServerFault | undefined {
  return TEXTS.find(([text]) => text.test(words))?.[1];
}
