import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { JsonObject, ToolPart, ToolResult } from '../../protocol/part';
import { OUTPUT_CHARS, OUTPUT_LINES } from '../limits';
import { strings } from '../strings';
import { clip } from './clipped';
import { usePage } from './context';
import { CopyButton } from './copy';
import { FoldLine } from './line';
import { memo } from './memo';
import type { ToolItem } from './segments';
import { toolWords, type ToolWords } from './toolWords';
import { useFold } from './useFold';

/** One call as a row, which opens to what was asked and what came back. */
export const ToolRow = memo<ToolItem>(function ToolRow({ seq, idx, part }) {
  const fold = useFold(`tool:${seq}:${idx}`);
  const words = toolWords(part);
  return (
    <div class="tool" data-state={part.state}>
      <FoldLine text={words.line} name={words.name} hint={words.full} open={fold.open} onToggle={fold.toggle} />
      {fold.open && <ToolBody seq={seq} idx={idx} part={part} words={words} />}
    </div>
  );
});

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

function Arguments({ more, of }: { more: JsonObject; of: string }): VNode | null {
  const entries = Object.entries(more);
  if (entries.length === 0) return null;
  return (
    <pre class="args" role="group" tabIndex={0} aria-label={strings.argumentsOf(of)}>
      <code dir="ltr">{entries.map(([key, value]) => `${key}: ${written(value)}`).join('\n')}</code>
    </pre>
  );
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
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
