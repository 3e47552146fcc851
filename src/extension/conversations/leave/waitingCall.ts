import type { ApprovalRequest } from '../../../protocol/approval';
import type { Message } from '../../../protocol/message';
import type { Transcript } from '../../../protocol/transcript';
import { waitsForLeave } from '../../agent/calls';

/** Whether the last message is open while a call of it waits for leave, in a conversation that nothing goes on in. */
export function isLeftOpen(transcript: Transcript): boolean {
  const last = transcript.messages.at(-1);
  return last?.status === 'streaming' && waitsForLeave(transcript, last.seq);
}

/** The request of that id, if a call of the message waits for an answer to it. */
export function waitingRequest({ status, parts }: Message, requestId: string): ApprovalRequest | undefined {
  if (status !== 'streaming') return undefined;
  const part = parts.find(
    (each) => each.type === 'tool' && each.state === 'awaiting_approval' && each.approval?.id === requestId,
  );
  return part?.type === 'tool' ? part.approval : undefined;
}
