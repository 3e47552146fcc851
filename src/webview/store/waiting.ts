import type { ApprovalRequest } from '../../protocol/approval';
import { isOwnMessage, type Message } from '../../protocol/message';
import type { ToolPart } from '../../protocol/part';

/** A call that waits for the person's answer, and where it stands. */
export interface Waiting {
  readonly seq: number;
  readonly idx: number;
  readonly request: ApprovalRequest;
}

/** The request that a call waits for; undefined: it does not wait. */
export function requestOf(part: ToolPart): ApprovalRequest | undefined {
  return part.state === 'awaiting_approval' ? part.approval : undefined;
}

/** The calls that wait, oldest first. Only those of the last turn can: the next own message ends all others. */
export function waitingIn(messages: readonly Message[]): readonly Waiting[] {
  const all: Waiting[] = [];
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message === undefined || isOwnMessage(message)) break;
    const { seq, parts } = message;
    const here = parts.flatMap((part, idx): readonly Waiting[] => {
      const request = part.type === 'tool' ? requestOf(part) : undefined;
      return request === undefined ? [] : [{ seq, idx, request }];
    });
    all.unshift(...here);
  }
  return all;
}

/** Whether two lists tell of the same requests at the same places. */
export function sameWaiting(a: readonly Waiting[], b: readonly Waiting[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ seq, idx, request }, at) => seq === b[at]?.seq && idx === b[at].idx && request === b[at].request)
  );
}
