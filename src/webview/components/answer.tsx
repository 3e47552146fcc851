import type { VNode } from 'preact';
import type { Message } from '../../protocol/message';
import type { ToolPart } from '../../protocol/part';
import type { RunState } from '../../protocol/status';
import { waitingIn } from '../store/waiting';
import { AnswerText } from './textPart';
import { EndNotice, FaultRow } from './endNotice';
import { Foot } from './foot';
import { memo } from './memo';
import { MessageNotes } from './messageNotes';
import { RunLine, SuspendedLine } from './runLine';
import { segmentsOf, type Segment } from './segments';
import { Thinking } from './thinking';
import { ToolRows } from './toolRows';
import { UnknownPartRow } from './unknownPart';

interface AnswerProps {
  /** All steps of the answer, in order. */
  readonly messages: readonly Message[];
  /** The run that works on it, if one does. */
  readonly run: RunState;
  /** Whether it can be retried. */
  readonly last: boolean;
  /** Whether it goes on in a row of its own, below what the host says in the middle of it. */
  readonly goesOn: boolean;
}

/** An answer: its parts in order, and its foot, or the run line while it is being made. */
export const Answer = memo<AnswerProps>(function Answer({ messages, run, last, goesOn }) {
  const todo = newestTodo(messages);
  const segments = segmentsOf(messages, goesOn || run.kind !== 'idle');
  return (
    <>
      {segments.map((segment, index) => (
        <SegmentView
          key={`${segment.kind}:${segment.seq}:${segment.idx}`}
          segment={segment}
          growing={run.kind !== 'idle' && index === segments.length - 1}
          last={last}
          todo={todo}
        />
      ))}
      <MessageNotes messages={messages} />
      {(run.kind !== 'idle' || !goesOn) && <AnswerEnd messages={messages} run={run} last={last} />}
    </>
  );
});

/** What it is at, or how it ended. */
function AnswerEnd({ messages, run, last }: Omit<AnswerProps, 'goesOn'>): VNode {
  if (run.kind !== 'idle') return <RunLine run={run} />;
  return waitingIn(messages).length > 0 ? <SuspendedLine /> : <Foot messages={messages} last={last} />;
}

/** The list of what is to be done as it stands: that one is shown unfolded. */
function newestTodo(messages: readonly Message[]): ToolPart | undefined {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool'));
  return calls.findLast(({ name, state }) => name === 'todo' && state === 'done');
}

interface SegmentProps {
  readonly segment: Segment;
  readonly growing: boolean;
  readonly last: boolean;
  readonly todo: ToolPart | undefined;
}

function SegmentView({ segment, growing, last, todo }: SegmentProps): VNode {
  switch (segment.kind) {
    case 'text':
      return (
        <div data-seq={segment.seq}>
          <AnswerText seq={segment.seq} idx={segment.idx} part={segment.part} live={segment.live} cut={segment.cut} />
        </div>
      );
    case 'thinking':
      return (
        <div data-seq={segment.seq} class="rows">
          <Thinking seq={segment.seq} idx={segment.idx} part={segment.part} live={segment.live} />
        </div>
      );
    case 'tools':
      return (
        <div data-seq={segment.seq} class="rows">
          <ToolRows items={segment.items} growing={growing} unfolded={todo} />
        </div>
      );
    case 'unknown':
      return (
        <div data-seq={segment.seq} class="rows">
          <UnknownPartRow seq={segment.seq} idx={segment.idx} part={segment.part} />
        </div>
      );
    case 'fault':
      return (
        <div data-seq={segment.seq} class="rows">
          <FaultRow />
        </div>
      );
    case 'ending':
      return (
        <div data-seq={segment.seq}>
          <EndNotice message={segment.message} last={last} />
        </div>
      );
  }
}
