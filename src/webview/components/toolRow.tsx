import type { VNode } from 'preact';
import { requestOf } from '../store/waiting';
import { ApprovalCard } from './approvalCard';
import { usePage } from './context';
import { ExpiredCard } from './expiredCard';
import { FoldLine } from './line';
import { memo } from './memo';
import type { ToolItem } from './segments';
import { ToolBody } from './toolBody';
import { namesFile } from './toolSubject';
import { toolWords } from './toolWords';
import { useFold } from './useFold';

/** One call: a card while it waits for leave, and when it waited in vain; else a row. `unfolded`: it is open at first. */
export const ToolCall = memo<ToolItem & { unfolded: boolean }>(function ToolCall({ unfolded, ...item }) {
  const { seq, idx, part } = item;
  const request = requestOf(part);
  if (request !== undefined) return <ApprovalCard key={request.id} seq={seq} idx={idx} request={request} />;
  if (part.state === 'expired' && part.approval !== undefined)
    return <ExpiredCard request={part.approval} endedAt={part.endedAt} />;
  return <ToolRow item={item} unfolded={unfolded} />;
});

/** A call as a row, which opens to what was asked and what came back. */
function ToolRow({ item, unfolded }: { item: ToolItem; unfolded: boolean }): VNode {
  const { files } = usePage();
  const { seq, idx } = item;
  const openFile = (): void => void files.openFile({ seq, idx });
  const fold = useFold(`tool:${seq}:${idx}`, unfolded);
  const words = toolWords(item.part);
  return (
    <div class="tool" data-state={item.part.state}>
      <FoldLine
        text={words.line}
        name={words.name}
        hint={words.full}
        open={fold.open}
        onToggle={fold.toggle}
        onOpen={namesFile(item.part) ? openFile : undefined}
      />
      {fold.open && <ToolBody {...item} words={words} />}
    </div>
  );
}
