import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ToolPart, ToolResult } from '../../protocol/part';
import { OUTPUT_CHARS, OUTPUT_LINES } from '../limits';
import { requestOf } from '../store/waiting';
import { strings } from '../strings';
import { ApprovalCard } from './approvalCard';
import { Arguments } from './arguments';
import { clip } from './clipped';
import { usePage } from './context';
import { CopyButton } from './copy';
import { ExpiredCard } from './expiredCard';
import { FoldLine } from './line';
import { memo } from './memo';
import type { ToolItem } from './segments';
import { toolWords, type ToolWords } from './toolWords';
import { useFold } from './useFold';

/** One call: a card while it waits for leave, and when it waited in vain; else a row. */
export const ToolCall = memo<ToolItem>(function ToolCall(item) {
  const { seq, idx, part } = item;
  const request = requestOf(part);
  if (request !== undefined) return <ApprovalCard key={request.id} seq={seq} idx={idx} request={request} />;
  if (part.state === 'expired' && part.approval !== undefined)
    return <ExpiredCard request={part.approval} endedAt={part.endedAt} />;
  return <ToolRow {...item} />;
});

/** A call as a row, which opens to what was asked and what came back. */
function ToolRow({ seq, idx, part }: ToolItem): VNode {
  const fold = useFold(`tool:${seq}:${idx}`);
  const words = toolWords(part);
  return (
    <div class="tool" data-state={part.state}>
      <FoldLine text={words.line} name={words.name} hint={words.full} open={fold.open} onToggle={fold.toggle} />
      {fold.open && <ToolBody seq={seq} idx={idx} part={part} words={words} />}
    </div>
  );
}

function ToolBody(props: { seq: number; idx: number; part: ToolPart; words: ToolWords }): VNode {
  const page = usePage();
  const { part, words, seq, idx } = props;
  const omitted = part.result?.omitted ?? 0;
  useEffect(() => {
    if (omitted > 0) void page.fetchPart(seq, idx);
  }, [page, seq, idx, omitted > 0]);
  return (
    <div class="body frame">
      <div class="code-bar">
        <span class="path">
          <span class="cut mono" title={words.full}>
            {words.full}
          </span>
        </span>
        {part.result !== undefined && <CopyButton name={strings.copyOutput} text={part.result.content} />}
      </div>
      <Arguments more={words.more} of={words.full} />
      {part.result !== undefined && <Output result={part.result} of={words.full} fold={`output:${seq}:${idx}`} />}
    </div>
  );
}

function Output({ result, of, fold }: { result: ToolResult; of: string; fold: string }): VNode {
  const all = useFold(fold);
  const clipped = clip(result.content, OUTPUT_LINES, OUTPUT_CHARS);
  const omitted = result.omitted ?? 0;
  if (result.content === '') return <div class="more">{strings.noOutput}</div>;
  return (
    <>
      <pre role="group" tabIndex={0} aria-label={strings.outputOf(of)}>
        <code dir="ltr">{all.open ? result.content : clipped.text}</code>
      </pre>
      {(clipped.cut || omitted > 0) && (
        <div class="more">
          {omitted > 0 ? (
            <span>{strings.leftOutAtEnd(omitted)}</span>
          ) : (
            !all.open && <span>{strings.linesShown(clipped.shownLines, clipped.lines)}</span>
          )}
          <span class="end" />
          {clipped.cut && (
            <button class="btn ghost" type="button" aria-expanded={all.open} onClick={all.toggle}>
              {all.open ? strings.showLess : strings.showAllLines(clipped.lines)}
            </button>
          )}
        </div>
      )}
    </>
  );
}
