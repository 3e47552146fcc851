import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ToolOutput, ToolResult } from '../../protocol/part';
import { formatBytes } from '../format';
import { OUTPUT_CHARS, OUTPUT_LINES } from '../limits';
import { strings } from '../strings';
import { clip, clipMiddle } from './clipped';
import { useFold } from './useFold';

interface OutputProps {
  readonly result: ToolResult;
  /** What it is the output of. */
  readonly of: string;
  /** Name of its fold. */
  readonly fold: string;
  /** Whether its end says most, as of a command: then the middle is what is left out. */
  readonly keepsEnd: boolean;
}

/** What came back, as much of it as is worth showing at once. */
export function Output({ result, of, fold, keepsEnd }: OutputProps): VNode {
  const all = useFold(fold);
  const omitted = result.omitted ?? 0;
  if (result.content === '') return <div class="more alone-in">{strings.noOutput}</div>;
  const middle = keepsEnd && omitted === 0 ? clipMiddle(result.content, OUTPUT_LINES, OUTPUT_CHARS) : undefined;
  const clipped = clip(result.content, OUTPUT_LINES, OUTPUT_CHARS);
  const cut = middle?.cut ?? clipped.cut;
  return (
    <>
      <pre role="group" tabIndex={0} aria-label={strings.outputOf(of)}>
        <code dir="ltr">{all.open ? result.content : (middle?.text ?? clipped.text)}</code>
      </pre>
      {(cut || omitted > 0) && (
        <div class="more">
          {omitted > 0 && <span>{strings.leftOutAtEnd(omitted)}</span>}
          {omitted === 0 && !all.open && (
            <span>
              {middle === undefined
                ? strings.linesShown(clipped.shownLines, clipped.lines)
                : strings.leftOutInMiddle(middle.left)}
            </span>
          )}
          <span class="end" />
          {cut && (
            <button class="btn ghost" type="button" aria-expanded={all.open} onClick={all.toggle}>
              {all.open
                ? strings.showLess
                : middle === undefined
                  ? strings.showAllLines(clipped.lines)
                  : strings.showAll}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** The end of what a command has printed so far, or until it was ended. It follows its end unless the reader has gone up. */
export function LiveOutput({ output, of, running }: { output: ToolOutput; of: string; running: boolean }): VNode {
  const pane = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (follows.current && pane.current !== null) pane.current.scrollTop = pane.current.scrollHeight;
  }, [output.text]);
  const onScroll = (): void => {
    if (pane.current === null) return;
    const { scrollHeight, scrollTop, clientHeight } = pane.current;
    follows.current = scrollHeight - scrollTop - clientHeight <= 1;
  };
  return (
    <>
      <pre class="live" ref={pane} role="group" tabIndex={0} aria-label={strings.outputOf(of)} onScroll={onScroll}>
        <code dir="ltr">{output.text}</code>
      </pre>
      <div class="more">{(running ? strings.printed : strings.printedInAll)(formatBytes(output.bytes))}</div>
    </>
  );
}
