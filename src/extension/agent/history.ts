import type { Message } from '../../protocol/message';
import type { Part, ToolPart } from '../../protocol/part';
import type { ChatMessage, ModelToolCall } from '../ollama/modelClient';

/**
 * The conversation as a model may be told it. Always valid: each call has its result right after it, in order; text is
 * well-formed; arguments are objects. A call and its result are one part, so a pair cannot come apart.
 * `messages` are the transcript's, oldest first; `chars` bounds the answer: what is older is left out, in whole turns.
 */
export function modelHistory(messages: readonly Message[], chars: number): readonly ChatMessage[] {
  const turns = turnsOf(messages);
  const kept: (readonly ChatMessage[])[] = [];
  let used = 0;
  for (const [age, turn] of turns.toReversed().entries()) {
    // Thinking goes back only while the turn it belongs to goes on.
    const told = turn.flatMap((message) => toldAs(message, age === 0));
    used += told.reduce((sum, message) => sum + sizeOf(message), 0);
    if (age > 0 && used > chars) break;
    kept.push(told);
  }
  return kept.toReversed().flat();
}

/** A turn is a user message with all that follows from it. An attempt that was retried is no longer part of it. */
function turnsOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const turns: Message[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (message.role === 'user' || turn === undefined) {
      turns.push([message]);
      continue;
    }
    dropEndedAttempt(turn);
    turn.push(message);
  }
  // A request follows a question or results: after an attempt that has ended, it is the next attempt.
  const last = turns.at(-1);
  if (last !== undefined) dropEndedAttempt(last);
  return turns;
}

function dropEndedAttempt(turn: Message[]): void {
  const last = turn.at(-1);
  if (last?.role === 'assistant' && endsTurn(last)) turn.splice(turn[0]?.role === 'user' ? 1 : 0);
}

/** Whether nothing could follow the message but another attempt. */
function endsTurn(message: Message): boolean {
  if (message.status === 'streaming') return false;
  return message.status !== 'done' || !message.parts.some((part) => part.type === 'tool');
}

function toldAs(message: Message, withThinking: boolean): readonly ChatMessage[] {
  const content = textOf(message.parts, 'text');
  if (message.role === 'user') return [{ role: 'user', content }];
  const calls = message.parts.filter((part) => part.type === 'tool');
  if (content === '' && calls.length === 0) return [];
  const thinking = withThinking ? textOf(message.parts, 'thinking') : '';
  const toolCalls = calls.map((part, index) => callOf(message, part, index));
  const answer: ChatMessage = {
    role: 'assistant',
    content,
    ...(thinking === '' ? {} : { thinking }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
  const results = calls.map((part, index): ChatMessage => {
    return { role: 'tool', content: resultOf(part), toolName: part.name, toolCallId: callId(message, part, index) };
  });
  return [answer, ...results];
}

function callOf(message: Message, part: ToolPart, index: number): ModelToolCall {
  return { id: callId(message, part, index), name: part.name, arguments: part.arguments };
}

/** Ids of models repeat and may be missing; one made of the place is neither. */
function callId(message: Message, part: ToolPart, index: number): string {
  return part.callId === undefined || part.callId === '' ? `call_${message.seq}_${index}` : part.callId;
}

function resultOf(part: ToolPart): string {
  if (part.result !== undefined) return part.result.content.toWellFormed();
  switch (part.state) {
    case 'denied':
      return 'The user denied this call. It was not run.';
    case 'expired':
      return 'This call was not run: the answer was stopped first.';
    case 'interrupted':
    case 'running':
      return 'This call was interrupted. It is unknown whether it took effect: check before repeating it.';
    case 'pending':
    case 'awaiting_approval':
      return 'This call has not been run.';
    case 'done':
    case 'error':
      return 'This call ended without a result.';
  }
}

function textOf(parts: readonly Part[], type: 'text' | 'thinking'): string {
  return parts
    .flatMap((part) => (part.type === type ? [part.text] : []))
    .join('\n\n')
    .toWellFormed();
}

function sizeOf(message: ChatMessage): number {
  const calls = message.toolCalls?.reduce((sum, call) => sum + JSON.stringify(call.arguments).length, 0) ?? 0;
  return message.content.length + (message.thinking?.length ?? 0) + calls;
}
