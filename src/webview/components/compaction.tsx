import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Message } from '../../protocol/message';
import type { NoticePart, TextPart } from '../../protocol/part';
import { Markdown } from '../markdown/markdown';
import { strings } from '../strings';
import { usePage } from './context';
import { Icon } from './icon';
import { UnknownPartRow } from './unknownPart';
import { useFold } from './useFold';

interface CompactionProps {
  /** Of the host. */
  readonly message: Message;
  /** Whether the Tab key comes to it. */
  readonly current: boolean;
  readonly onFocus: () => void;
}

/** Where older messages became a summary for the model. They still stand above it. */
export function CompactionRow({ message, current, onFocus }: CompactionProps): VNode {
  return (
    <div
      role="note"
      class="rule"
      aria-label={strings.compaction.name}
      tabIndex={current ? 0 : -1}
      data-seq={message.seq}
      onFocusIn={onFocus}
    >
      {message.parts.map((part, idx) => {
        if (part.type === 'notice') return <Compaction key={idx} seq={message.seq} idx={idx} part={part} />;
        return part.type === 'unknown' ? <UnknownPartRow key={idx} seq={message.seq} idx={idx} part={part} /> : null;
      })}
    </div>
  );
}

interface PartProps {
  readonly seq: number;
  readonly idx: number;
  readonly part: NoticePart;
}

function Compaction({ seq, idx, part }: PartProps): VNode {
  const fold = useFold(`compaction:${seq}`);
  const words = strings.compaction;
  return (
    <>
      <div class="says">
        <Icon name="fold" />
        <span>
          {words.text}{' '}
          <button class="btn ghost" type="button" aria-expanded={fold.open} onClick={fold.toggle}>
            {fold.open ? words.hide : words.show}
          </button>
        </span>
      </div>
      {fold.open && <Summary seq={seq} idx={idx} part={part} />}
    </>
  );
}

function Summary({ seq, idx, part }: PartProps): VNode {
  const page = usePage();
  const omitted = part.omitted ?? 0;
  useEffect(() => {
    if (omitted > 0) void page.fetchPart(seq, idx);
  }, [page, seq, idx, omitted > 0]);
  const text = useMemo((): TextPart => ({ type: 'text', text: part.text }), [part.text]);
  return (
    <div class="summary">
      <Markdown part={text} growing={false} cut={omitted > 0} fold={`${seq}:${idx}`} />
      {omitted > 0 && <div class="meta">{strings.leftOutAtEnd(omitted)}</div>}
    </div>
  );
}
