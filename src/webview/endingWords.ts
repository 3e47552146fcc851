import type { EndReason, MessageNote } from '../protocol/message';
import { formatNumber, formatTime } from './format';

const KEPT = 'What arrived is kept.';
const SAVED = 'Your message is saved and not yet answered.';

/** How an answer ended, by reason: the fact, what it means and what is kept, and what can be done next. */
export const endingWords = {
  crash: {
    group: 'Interrupted',
    lead: (at: number) => `Interrupted at ${formatTime(at)}.`,
    writing: 'VS Code closed while the model was writing. What arrived is kept.',
    tool: 'VS Code closed while a tool ran. Its result is unknown; nothing was run again.',
    takenOver: 'Another window took this run over.',
    forked: 'It was forked while the model was writing; the answer goes on in the other conversation.',
    advice: 'You can also just write on.',
  },
  length: {
    group: 'Answer cut off',
    lead: 'The answer reached its limit of length.',
    text: `The model stopped in the middle. ${KEPT}`,
    inCall: `The model stopped in the middle of a call, which was not run. ${KEPT}`,
    advice: 'Let it go on, or ask for smaller steps.',
  },
  stepLimit: {
    group: 'Stopped at a limit',
    lead: (steps: number) => `Stopped: limit of ${formatNumber(steps)} ${steps === 1 ? 'turn' : 'turns'} reached.`,
    text: 'All results are kept.',
    advice: 'Look at what was done, then let it go on.',
  },
  repeatedCalls: {
    group: 'Stopped at a limit',
    lead: 'Stopped: the model made the same call again and again.',
    text: 'All results are kept.',
    advice: 'Ask in other words, or choose a larger model.',
  },
  toolErrors: {
    group: 'Stopped at a limit',
    lead: 'Stopped: too many calls in a row failed.',
    text: 'All results are kept.',
    advice: 'Say what it should do differently, or let it go on.',
  },
  tooLong: {
    group: 'Answer cut off',
    lead: 'The answer grew too long and was stopped.',
    text: `A model that writes without end often repeats itself. ${KEPT}`,
    advice: 'Let it go on, or ask for less at once.',
  },
  contextFull: {
    group: 'Window full',
    lead: 'Your message does not fit into the model’s window.',
    text: SAVED,
    advice: 'Shorten it, or give the model a larger window.',
  },
  empty: {
    group: 'Empty answer',
    lead: 'The model answered nothing.',
    text: 'Your message is saved.',
    advice: 'Retry, or ask in other words.',
  },
  internal: {
    group: 'Internal error',
    lead: 'Something failed inside Holdfast.',
    text: 'What arrived is kept, and your message is saved.',
  },
  unreachable: {
    group: 'Ollama does not answer',
    lead: 'Ollama does not answer.',
    text: (host: string) => `Nothing answered at ${host}. ${SAVED}`,
  },
  cutOff: {
    group: 'Answer cut off',
    lead: 'The answer was cut off.',
    text: (tokens: number | undefined) =>
      `Ollama closed the connection${tokens === undefined ? '' : ` after ${formatNumber(tokens)} tokens`}. ${KEPT}`,
    advice: 'You can also just write on.',
  },
  stalled: {
    group: 'Answer cut off',
    lead: 'Ollama went silent.',
    text: `The connection stood open, but nothing came any more. ${KEPT}`,
    advice: 'A model that does not fit into memory may be this slow.',
  },
  modelNotFound: {
    group: 'Model not found',
    lead: (model: string) => `${model} is not on this Ollama.`,
    text: `It may have been removed. ${SAVED}`,
    leadNow: (model: string) => `${model} was not on this Ollama.`,
    textNow: `It is there now. ${SAVED}`,
  },
  modelFault: {
    group: 'Call not readable',
    lead: 'The model’s call could not be read.',
    text: `Ollama could make nothing of what the model wrote. ${KEPT}`,
    advice: 'Retry; if it happens often, choose a larger model.',
    row: 'The model’s call could not be read; asked again',
  },
  noTools: {
    group: 'No tools',
    lead: (model: string) => `${model} cannot use tools.`,
    text: SAVED,
    advice: 'Choose a model that can.',
  },
  noThinking: {
    group: 'No thinking',
    lead: (model: string) => `${model} cannot think as it was told to.`,
    text: SAVED,
    advice: 'Change how it thinks in the settings, or choose another model.',
  },
  noChat: {
    group: 'No chat',
    lead: (model: string) => `${model} cannot chat.`,
    text: `It makes embeddings. ${SAVED}`,
    advice: 'Choose a model that can.',
  },
  overflow: {
    group: 'Window full',
    lead: 'The conversation does not fit into the model’s window.',
    text: `Nothing was cut. ${SAVED}`,
    advice: 'Summarise what is older, or give the model a larger window.',
  },
  badRequest: {
    group: 'Server error',
    lead: 'Ollama did not understand the request.',
    text: SAVED,
    advice: 'An older Ollama may not know what was asked of it.',
  },
  signIn: {
    group: 'Sign-in needed',
    lead: (model: string) => `${model} runs in the cloud, and this Ollama is not signed in.`,
    text: SAVED,
    advice: 'Sign in with this command, then retry.',
  },
  cloudOff: {
    group: 'Cloud switched off',
    lead: (model: string) => `${model} runs in the cloud, and this Ollama is told not to use it.`,
    text: SAVED,
    advice: 'Choose a model that runs on the server itself.',
  },
  cloudUnreachable: {
    group: 'Cloud does not answer',
    lead: (model: string) => `Ollama does not reach the cloud where ${model} runs.`,
    text: SAVED,
    advice: 'Retry, or choose a model that runs on the server itself.',
  },
  forbidden: {
    group: 'Not allowed',
    lead: 'Ollama does not take requests from here.',
    text: (host: string) => `What answers at ${host} refused this one. ${SAVED}`,
    advice: 'It may need a key, or must be told to let this computer in.',
  },
  busy: {
    group: 'Ollama is busy',
    lead: 'Ollama has too many requests waiting.',
    text: SAVED,
    advice: 'Retry in a moment.',
  },
  rateLimited: {
    group: 'Limit of use reached',
    lead: (model: string) => `${model} takes no more requests for now.`,
    text: `The limit of use of its server is reached. ${SAVED}`,
    advice: 'Retry later, or choose another model.',
  },
  loadFailed: {
    group: 'Model not loaded',
    lead: (model: string) => `${model} could not be loaded.`,
    text: `Usually there is too little memory. ${SAVED}`,
    advice: 'Choose a smaller model, or a smaller window.',
  },
  runnerStopped: {
    group: 'Model stopped',
    lead: (model: string) => `${model} stopped running.`,
    text: `Usually there is too little memory. ${KEPT}`,
    advice: 'Retry, or choose a smaller model or a smaller window.',
  },
  serverError: {
    group: 'Server error',
    lead: 'Ollama reported an error.',
    text: 'The model could not go on. What arrived is kept, and your message is saved.',
  },
  continue: 'Continue',
  /** What the person says by pressing Continue. */
  continueMessage: 'Continue.',
  pull: (model: string) => `Pull ${model}`,
  choose: 'Choose another model',
  changeWindow: 'Change window…',
  compact: 'Compact now',
  showLog: 'Show log',
  details: 'Details',
  hideDetails: 'Hide details',
} as const;

/** Why something is tried again, after `Retrying, 2 of 3: `. */
export const retryWords: Readonly<Record<EndReason, string>> = {
  stop: 'it was stopped',
  crash: 'it was interrupted',
  takeover: 'it was interrupted',
  fork: 'it was interrupted',
  length: 'the call was cut off',
  step_limit: 'a limit was reached',
  repeated_calls: 'the same call again',
  tool_errors: 'calls failed',
  too_long: 'the answer grew too long',
  context_full: 'the window is full',
  empty: 'the answer was empty',
  internal: 'something failed inside',
  unreachable: 'Ollama does not answer',
  cut_off: 'the connection was closed',
  stalled: 'Ollama went silent',
  model_not_found: 'the model is not there',
  model_fault: 'the tool call was malformed',
  no_tools: 'the model cannot use tools',
  no_thinking: 'the model cannot think so',
  no_chat: 'the model cannot chat',
  overflow: 'the window is full',
  bad_request: 'the request was not understood',
  sign_in: 'sign-in is needed',
  cloud_off: 'the cloud is switched off',
  cloud_unreachable: 'the cloud does not answer',
  forbidden: 'the request was refused',
  busy: 'Ollama is busy',
  rate_limited: 'the limit of use is reached',
  load_failed: 'the model could not be loaded',
  runner_stopped: 'the model stopped running',
  server_error: 'Ollama reported an error',
};

/** What went otherwise than it should, though there is an answer. */
export function noteWords(note: MessageNote, model: string): string {
  switch (note) {
    case 'without_tools':
      return `Answered without tools: ${model} cannot use them.`;
    case 'without_thinking':
      return `Answered without thinking: ${model} cannot think.`;
    case 'prompt_cut':
      return 'Ollama read less than it was sent: the start of the conversation may be missing for the model.';
  }
}
