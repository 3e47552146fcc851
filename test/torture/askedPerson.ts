import type { ApprovalAnswer, ApprovalRequest } from '../../src/protocol/approval';
import type { ToolPart } from '../../src/protocol/part';
import type { Reply } from '../../src/protocol/wire';
import type { LiveConversation } from '../../src/extension/conversations/liveConversation';
import type { WorkerLine } from './lines';
import type { Random } from './random';
import { randomText } from './words';

/** A call that waits for leave, as the page shows it. */
export interface ShownRequest {
  readonly request: ApprovalRequest;
  readonly mark: string;
}

/** The call of a conversation that waits for leave, in whichever window. */
export function shownRequest({ transcript }: LiveConversation): ShownRequest | undefined {
  const parts = transcript.messages.at(-1)?.parts ?? [];
  const part = parts.find((each): each is ToolPart => each.type === 'tool' && each.state === 'awaiting_approval');
  if (part?.approval === undefined) return undefined;
  return { request: part.approval, mark: String(part.arguments['mark']) };
}

/** What a person says to a request: once as a rule, and at times twice, the second time otherwise. */
export function randomAnswers(random: Random, request: ApprovalRequest): readonly ApprovalAnswer[] {
  const answers = [randomAnswer(random, request)];
  if (random.chance(0.2)) answers.push(randomAnswer(random, request));
  return answers;
}

function randomAnswer(random: Random, { grants }: ApprovalRequest): ApprovalAnswer {
  const untilDone = grants.findIndex(({ kind }) => kind === 'answer');
  switch (random.weighted({ allow: 60, grant: 15, deny: 25 })) {
    case 'grant':
      return untilDone < 0 ? { kind: 'allow' } : { kind: 'grant', grant: untilDone };
    case 'deny':
      return random.chance(0.5) ? { kind: 'deny' } : { kind: 'deny', words: randomText(random, 60) };
    case 'allow':
      return { kind: 'allow' };
  }
}

/** Answers a request, all answers at once, and tells what is answered before the product is. Answers with the replies. */
export async function answerRequest(
  live: LiveConversation,
  { request, mark }: ShownRequest,
  answers: readonly ApprovalAnswer[],
  tell: (line: WorkerLine) => void,
): Promise<readonly Reply[]> {
  const { subject, reasons } = request;
  const call = { conversation: live.id, mark, ...(subject.kind === 'command' ? { command: subject.command } : {}) };
  const resumed = live.status.owner === 'none';
  for (const { kind } of answers) tell({ kind: 'leave', ...call, answer: kind, unsaved: reasons.includes('unsaved') });
  const replies = await Promise.all(answers.map((answer) => live.answer(request.id, answer)));
  tell({ kind: 'answered', conversation: live.id, taken: replies.filter(({ ok }) => ok).length, resumed });
  return replies;
}
