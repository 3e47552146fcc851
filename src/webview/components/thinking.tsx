import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ThinkingPart } from '../../protocol/part';
import { formatLive, formatWholeSeconds } from '../format';
import { strings } from '../strings';
import { usePage } from './context';
import { FoldLine, type LineText } from './line';
import { memo } from './memo';
import { useFold } from './useFold';
import { useNow } from './useNow';

interface ThinkingProps {
  readonly seq: number;
  readonly idx: number;
  readonly part: ThinkingPart;
  readonly live: boolean;
}

/** What the model thought: folded, unless it was opened by hand. */
export const Thinking = memo<ThinkingProps>(function Thinking({ seq, idx, part, live }) {
  const fold = useFold(`thinking:${seq}:${idx}`);
  const thinking = live && part.endedAt === undefined;
  const now = useNow(thinking);
  const name = thinking ? strings.thinking : endedName(part);
  const text: LineText = thinking
    ? {
        icon: 'loading',
        tone: 'live',
        verb: strings.thinkingLive,
        place: fold.open ? '' : lastLine(part.text),
        result: formatLive(now - part.startedAt),
      }
    : { icon: 'thinking', verb: name };
  return (
    <div class="think">
      <FoldLine text={text} name={name} open={fold.open} onToggle={fold.toggle} />
      {fold.open && <ThinkingBody seq={seq} idx={idx} part={part} />}
    </div>
  );
});

function ThinkingBody({ seq, idx, part }: Omit<ThinkingProps, 'live'>): VNode {
  const page = usePage();
  const omitted = part.omitted ?? 0;
  useEffect(() => {
    if (omitted > 0) void page.fetchPart(seq, idx);
  }, [page, seq, idx, omitted > 0]);
  return (
    <div class="body" dir="auto">
      {part.text.trim()}
      {omitted > 0 && <div class="meta">{strings.leftOutAtEnd(omitted)}</div>}
    </div>
  );
}

function endedName(part: ThinkingPart): string {
  if (part.endedAt === undefined) return strings.thought;
  return strings.thoughtFor(formatWholeSeconds(Math.max(1_000, part.endedAt - part.startedAt)));
}

/** Only the end is looked at: this runs with every token. */
function lastLine(text: string): string {
  const end = text.slice(-500).trimEnd();
  return end.slice(end.lastIndexOf('\n') + 1).trim();
}
