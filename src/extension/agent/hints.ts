import { STEPS_PER_TURN } from '../base/limits';

/** Our words to the model, after everything else in a request. None of them is stored. */

const OURS = '[From the application, not from the user]';

/** After calls that the server could not read. */
export const VALID_JSON = `${OURS} Your last call could not be read: its arguments were not valid JSON. Make one call, with one complete JSON object as its arguments: quote keys and texts, escape quotation marks and line breaks within texts, close every bracket. Or answer in words.`;

/** After answers without a word and without a call. */
export const ANSWER_OR_CALL = `${OURS} Your last answer was empty. Answer the user in words now, or call a tool.`;

/** After a call that reached the limit of tokens before it was whole. */
export const SMALLER_STEPS = `${OURS} Your last answer became too long and was cut off in the middle, so nothing of it was done. Work in smaller steps: do only the next small part in each call, and write long texts in several parts.`;

/** After an announcement that nothing followed. */
export const DO_IT = `${OURS} You said what you would do next, but called no tool. Call it now, or, if nothing is left to do, give the answer.`;

/** With the last request of a turn that has used up its requests. */
export const SUM_UP = `${OURS} You have made ${STEPS_PER_TURN} requests in this turn, which is the limit; no tool can be called now. Tell the user briefly what has been done and found, and what is left to do.`;

/** With the last request of a turn that went round in circles. */
export const STOP_REPEATING = `${OURS} You have made the same calls again and again; no tool can be called now. Answer with what you know already, and tell the user what is missing.`;

/** With the last request of a turn whose calls fail. */
export const SAY_WHAT_IS_MISSING = `${OURS} Your last calls have all failed; no tool can be called now. Tell the user briefly what you tried, why it failed and what you would need to go on.`;

/** Put behind the result of a call that is made for the `times`th time. */
export function repeatWarning(times: number): string {
  return `${OURS} You have made this call ${times} times in a row, and nothing has changed. Do not make it again: do something else, or answer.`;
}

/** The result of calls that are not run since the model goes round in circles. */
export const NOT_REPEATED = `Not run: the same calls have been made too often in a row. Answer with what you know.`;

/** The result of calls that come although no tool can be called any more. */
export const NO_MORE_CALLS = 'Not run: no tool can be called any more in this turn.';

/** The result of a call that the person denied. `words`: why, as the person wrote it. */
export function deniedWords(words: string | undefined): string {
  const denied = 'The user denied this call. It was not run.';
  if (words === undefined)
    return `${denied} Do not try to do the same in another way: go on without it, or ask the user what to do instead.`;
  return `${denied} Do not try to do the same in another way. What the user says to it:\n${words.toWellFormed()}`;
}
