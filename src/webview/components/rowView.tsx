import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { messageWord, type Message, type MessageWord } from '../../protocol/message';
import type { RunState, SaveState } from '../../protocol/status';
import { isOpenEnded, type Row } from '../store/rows';
import { strings } from '../strings';
import { Answer } from './answer';
import { memo } from './memo';
import { CompactionRow } from './compaction';
import { RunLine } from './runLine';
import { PendingMessage, usePatience, UserMessage } from './userMessage';
import { useKeptFocus } from './useKeptFocus';
import type { PendingSend } from '../store/sends';

interface RowViewProps {
  readonly row: Row;
  /** The run, on the last row; idle on all others. */
  readonly run: RunState;
  readonly save: SaveState;
  /** Whether it is an answer that can be retried. */
  readonly last: boolean;
  /** Whether it is an answer that goes on below what the host says in the middle of it. */
  readonly goesOn: boolean;
  readonly position: number;
  /** Of rows, or -1 when there are older ones that are not loaded. */
  readonly count: number;
  /** Whether the Tab key comes to it. */
  readonly current: boolean;
  readonly onFocus: (key: string) => void;
}

/** One row of the list. */
export const RowView = memo<RowViewProps>(function RowView(props) {
  const { row, run } = props;
  switch (row.kind) {
    case 'user': {
      const unsaved = props.save.kind === 'unsaved' && row.message.createdAt >= props.save.since;
      return (
        <Article {...props} kind="user" name={strings.own(row.message.createdAt, unsaved)} seq={row.message.seq}>
          <UserMessage message={row.message} unsaved={unsaved} />
        </Article>
      );
    }
    case 'pending':
      return <PendingRow {...props} send={row.send} />;
    case 'answer':
      return (
        <Article {...props} kind="answer" name={answerName(row.messages, run)} seq={undefined}>
          <Answer messages={row.messages} run={run} last={props.last} goesOn={props.goesOn} />
        </Article>
      );
    case 'notice':
      return (
        <CompactionRow message={row.message} current={props.current} onFocus={() => props.onFocus(props.row.key)} />
      );
    case 'run':
      return run.kind === 'idle' ? null : <RunLine run={run} />;
  }
});

function PendingRow(props: RowViewProps & { send: PendingSend }): VNode {
  const late = usePatience(props.send.sentAt);
  return (
    <Article {...props} kind="user" name={strings.own(props.send.sentAt, late)} seq={undefined}>
      <PendingMessage send={props.send} unsaved={late} />
    </Article>
  );
}

interface ArticleProps extends RowViewProps {
  readonly kind: 'user' | 'answer';
  readonly name: string;
  /** Of a message that is one piece; the pieces of an answer have their own. */
  readonly seq: number | undefined;
  readonly children: ComponentChildren;
}

function Article(props: ArticleProps): VNode {
  const article = useRef<HTMLElement>(null);
  // The foot of an answer goes while its file changes are taken back.
  useKeptFocus(article);
  return (
    <article
      ref={article}
      class={props.kind}
      aria-label={props.name}
      aria-posinset={props.position}
      aria-setsize={props.count}
      tabIndex={props.current ? 0 : -1}
      data-seq={props.seq}
      onFocusIn={() => props.onFocus(props.row.key)}
    >
      {props.children}
    </article>
  );
}

function answerName(messages: readonly Message[], run: RunState): string {
  const first = messages[0];
  const end = messages.at(-1);
  if (first === undefined || end === undefined) return '';
  // Between two steps of one answer the last has ended, but the answer has not.
  const word: MessageWord =
    run.kind !== 'idle' && isOpenEnded(end) && end.status !== 'streaming' ? 'running' : messageWord(end);
  return strings.answer(end.model ?? strings.unknownModel, first.createdAt, word);
}
