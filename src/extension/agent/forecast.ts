import type { Message } from '../../protocol/message';
import type { Part } from '../../protocol/part';
import { LEARNT_STEPS } from '../base/limits';
import type { ChatMessage, ToolDefinition } from '../ollama/modelClient';
import { textOf } from './history';
import { NO_TOKENS, type TokenSplit } from './tokenPieces';
import { corrected, learntRatios, type Counted } from './tokenRatios';
import { estimatePrompt, sumOf, tokensOfCall, tokensOfMessage, tokensOfText, tokensOfTools, totalOf } from './tokens';

/** A request as far as it is planned: what never changes within a turn, and the conversation after it. */
export interface PlannedPrompt {
  /** The system prompt and what else is told first (AGENTS.md, memory, skills), in the order of the request. */
  readonly setting: readonly ChatMessage[];
  /** The conversation as the model is told it, with words of ours after it. */
  readonly history: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
}

export interface Forecast {
  /** Tokens of the prompt as the server will count them. */
  readonly tokens: number;
  /** The figure is the server's own: nothing has been added since its last answer. */
  readonly reported: boolean;
  /** True tokens to estimated ones, by class, as far as the conversation tells. */
  readonly ratios: TokenSplit;
}

/** A message whose request the server has counted. */
interface CountedStep {
  readonly message: Message;
  readonly promptTokens: number;
  readonly answerTokens: number;
  readonly estimatedTokens: number;
}

/** How far (share, and tokens besides) an estimate may be from the one that was made then, to be of the same text. */
const SAME_TEXT_SHARE = 0.01;
const SAME_TEXT_TOKENS = 8;
/** The end of an answer and the beginning of the next one, which stand in no message. */
const ANSWER_FRAME = 5;

/**
 * Tokens of the next prompt, from what the server counted for the last one: its prompt and its answer are known, what
 * has come since is estimated and corrected by what the conversation has taught of this model's vocabulary. Without any
 * figure of the server it is the plain estimate. `transcript`: the messages of the conversation, oldest first.
 */
export function forecast(transcript: readonly Message[], planned: PlannedPrompt): Forecast {
  const messages = [...planned.setting, ...planned.history];
  const steps = countedSteps(transcript);
  const answerAt = messages.findLastIndex(({ role }) => role === 'assistant');
  const answer = messages[answerAt];
  // The newest answer may have no figures (it was stopped), and the newest figures may be of an answer that is asked anew.
  const own = answer === undefined ? undefined : steps.findLast((step) => isAnswerOf(step.message, answer));
  const last = own ?? steps.at(-1);
  if (last === undefined || answer === undefined) {
    const ratios = learntRatios(learntFrom(steps));
    const split = sumOf([tokensOfTools(planned.tools), ...messages.map(tokensOfMessage)]);
    return { tokens: Math.ceil(corrected(split, ratios)), reported: false, ratios };
  }
  const before = sumOf([tokensOfTools(planned.tools), ...messages.slice(0, answerAt).map(tokensOfMessage)]);
  const estimatedBefore = estimatePrompt(messages.slice(0, answerAt), planned.tools);
  const samePrompt = isNear(estimatedBefore, last.estimatedTokens);
  const ratios = learntRatios([
    ...learntFrom(steps),
    ...(samePrompt ? [{ split: before, tokens: last.promptTokens }] : []),
  ]);
  const added = messages.slice(answerAt + 1).map(tokensOfMessage);
  const whole = last.promptTokens / Math.max(1, last.estimatedTokens);
  // Thinking of an earlier turn is no longer told, older messages may be left out or summarised.
  const changed = estimatedBefore - last.estimatedTokens;
  const answered = own === undefined ? corrected(tokensOfMessage(answer), ratios) : answerTokens(own, answer);
  const known = last.promptTokens + whole * changed + answered;
  if (added.length === 0) {
    return { tokens: Math.ceil(known), reported: own !== undefined && changed === 0, ratios };
  }
  return { tokens: Math.ceil(known + ANSWER_FRAME + corrected(sumOf(added), ratios)), reported: false, ratios };
}

/**
 * Tokens of the conversation up to its newest message, when the next request is not known; undefined without figures,
 * and when older messages were summarised since the last ones.
 */
export function forecastOfTranscript(transcript: readonly Message[]): Forecast | undefined {
  const steps = countedSteps(transcript);
  const last = steps.at(-1);
  const summarised = transcript.some(({ seq, origin }) => origin === 'host' && seq > (last?.message.seq ?? 0));
  if (last === undefined || summarised) return undefined;
  const ratios = learntRatios(learntFrom(steps));
  const added = addedSince(last.message, transcript);
  const known = last.promptTokens + last.answerTokens;
  return { tokens: Math.ceil(known + corrected(added, ratios)), reported: totalOf(added) === 0, ratios };
}

/** What a message puts into the prompt: what was said, and what tools answered. */
export function tokensOfParts(message: Message): { readonly said: TokenSplit; readonly results: TokenSplit } {
  return {
    said: sumOf(message.parts.map((part) => saidIn(part))),
    results: sumOf(message.parts.map((part) => resultIn(part))),
  };
}

/** The answer's tokens as far as the next prompt holds it: its thinking is left out once the turn is over. */
function answerTokens(step: CountedStep, told: ChatMessage): number {
  const { said } = tokensOfParts(step.message);
  if (told.thinking !== undefined || !step.message.parts.some(({ type }) => type === 'thinking')) {
    return step.answerTokens;
  }
  const thought = sumOf(step.message.parts.map((part) => (part.type === 'thinking' ? saidIn(part) : NO_TOKENS)));
  return step.answerTokens * (1 - totalOf(thought) / Math.max(1, totalOf(said)));
}

/** Whether what a model is told as an answer is this message. */
function isAnswerOf({ parts }: Message, { content, toolCalls = [] }: ChatMessage): boolean {
  const calls = parts.filter((part) => part.type === 'tool');
  if (calls.length !== toolCalls.length) return false;
  return (
    calls.every((call, index) => call.arguments === toolCalls[index]?.arguments) && content === textOf(parts, 'text')
  );
}

function countedSteps(transcript: readonly Message[]): readonly CountedStep[] {
  return transcript.flatMap((message) => {
    const { promptTokens, answerTokens: answered = 0, estimatedTokens } = message.usage ?? {};
    if (message.role !== 'assistant' || promptTokens === undefined || estimatedTokens === undefined) return [];
    return [{ message, promptTokens, answerTokens: answered, estimatedTokens }];
  });
}

/** What the server's figures say of texts that are in the transcript: answers, and what came between two requests. */
function learntFrom(steps: readonly CountedStep[]): readonly Counted[] {
  const newest = steps.slice(-LEARNT_STEPS);
  return newest.flatMap((step, place) => {
    const { said, results } = tokensOfParts(step.message);
    const learnt: Counted[] = step.answerTokens === 0 ? [] : [{ split: said, tokens: step.answerTokens }];
    const next = newest[place + 1];
    if (next === undefined) return learnt;
    const tokens = next.promptTokens - step.promptTokens - step.answerTokens - ANSWER_FRAME;
    const estimated = next.estimatedTokens - step.estimatedTokens;
    // Only where nothing else changed: results alone came between the two.
    if (tokens > 0 && isNear(estimated, totalOf(sumOf([said, results])))) learnt.push({ split: results, tokens });
    return learnt;
  });
}

function addedSince(last: Message, transcript: readonly Message[]): TokenSplit {
  const later = transcript.filter(({ seq }) => seq > last.seq);
  const told = later.flatMap(({ parts }) => parts).filter(({ type }) => type !== 'thinking');
  return sumOf([tokensOfParts(last).results, ...told.flatMap((part) => [saidIn(part), resultIn(part)])]);
}

function saidIn(part: Part): TokenSplit {
  switch (part.type) {
    case 'text':
    case 'thinking':
    case 'notice':
      return tokensOfText(part.text);
    case 'tool':
      return tokensOfCall(part.name, part.arguments);
    case 'attachment':
    case 'unknown':
      return NO_TOKENS;
  }
}

function resultIn(part: Part): TokenSplit {
  switch (part.type) {
    case 'tool':
      return part.result === undefined
        ? NO_TOKENS
        : tokensOfMessage({
            role: 'tool',
            content: part.result.content.toWellFormed(),
            images: part.result.image === undefined ? [] : [''],
          });
    case 'attachment':
      return tokensOfMessage({ role: 'user', content: '', images: [''] });
    case 'text':
    case 'thinking':
    case 'notice':
    case 'unknown':
      return NO_TOKENS;
  }
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_TEXT_TOKENS + SAME_TEXT_SHARE * Math.max(a, b);
}
