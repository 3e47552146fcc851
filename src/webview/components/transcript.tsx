import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LiveView } from '../../protocol/hydration';
import { OLDER_PX, OVERSCAN_ROWS } from '../limits';
import { goesOnBelow, isOpenEnded, RowBuilder } from '../store/rows';
import { runElsewhere } from '../store/runElsewhere';
import { strings } from '../strings';
import { usePage } from './context';
import { drawnRows } from './drawnRows';
import type { Following } from './following';
import { onRowKey } from './rowKeys';
import { RowView } from './rowView';
import { useApprovalFocus } from './useApprovalFocus';
import { useKeptPlace } from './useKeptPlace';
import { useSelectedRows } from './useSelectedRows';
import { useVirtualizer } from './useVirtualizer';

const IDLE = { kind: 'idle' } as const;

// Room above the first row and below the last, and guesses at rows that were never drawn, in px.
const TOP_PX = 8;
const END_PX = 16;
const ANSWER_PX = 320;
const OTHER_PX = 72;

/** All messages of the conversation, of which only those near the visible part are drawn. */
export function Transcript({ live, following }: { live: LiveView; following: Following }): VNode {
  const page = usePage();
  const scroller = useRef<HTMLDivElement>(null);
  const [focusedKey, setFocusedKey] = useState<string | undefined>(undefined);
  const builder = useRef<RowBuilder>(undefined);
  builder.current ??= new RowBuilder();

  const { conversation, messages, hasOlder } = live.transcript;
  const { save, owner } = live.status;
  const run = owner === 'elsewhere' ? runElsewhere(messages) : live.status.run;
  const running = run.kind !== 'idle';
  const pending = page.pending.value;
  const rows = builder.current.build(
    conversation.id,
    messages,
    pending,
    running && !runsInAnswer(live, pending.length),
  );
  const focused = focusedKey === undefined ? -1 : rows.findIndex((row) => row.key === focusedKey);
  const lastMessage = rows.findLastIndex((row) => row.kind !== 'run');
  // What the host says after an answer does not make it another one.
  const end = rows.findLastIndex((row) => row.kind !== 'notice');
  const retryable = running || owner === 'elsewhere' || rows[end]?.kind !== 'answer' ? -1 : end;

  const selected = useSelectedRows(scroller);
  const kept = [focused < 0 ? undefined : { from: focused, to: focused }, selected];
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => (rows[index]?.kind === 'answer' ? ANSWER_PX : OTHER_PX),
    measureElement: (row) => row.getBoundingClientRect().height,
    paddingStart: TOP_PX,
    paddingEnd: END_PX,
    overscan: OVERSCAN_ROWS,
    rangeExtractor: (view) => drawnRows(view, kept),
    anchorTo: 'end',
    // Following is not left to it: within some px of the end it would take along a reader who has left.
    scrollEndThreshold: -1,
  });
  useLayoutEffect(
    () =>
      scroller.current === null
        ? undefined
        : following.attach(scroller.current, virtualizer, page.ui.anchor === undefined),
    [following, virtualizer, page],
  );
  useLayoutEffect(() => following.settle());
  useEffect(() => {
    if (selected !== undefined) following.leave();
  }, [following, selected]);
  useKeptPlace({ page, scroller, virtualizer, following, rows });
  useApprovalFocus({ page, scroller, following, rows, keep: setFocusedKey, virtualizer });

  const onScroll = (): void => {
    if (scroller.current !== null && scroller.current.scrollTop < OLDER_PX) page.loadOlder();
  };
  // Also when a page has come that does not fill the room above.
  useEffect(onScroll, [messages[0]?.seq, hasOlder]);

  const focus = (index: number): void => {
    setFocusedKey(rows[index]?.key);
    // It may not be drawn before this frame is over.
    requestAnimationFrame(() => {
      const article = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] > [tabindex]`);
      article?.focus({ preventScroll: true });
      article?.scrollIntoView({ block: 'nearest' });
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => onRowKey(event, { lastMessage, virtualizer, following, focus });

  const items = virtualizer.getVirtualItems();
  const drawnTo = items.at(-1)?.end ?? 0;
  return (
    <div
      class="hf-log"
      role="log"
      aria-label={strings.conversation}
      aria-live="off"
      tabIndex={0}
      ref={scroller}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div class="list" style={{ paddingBottom: `${virtualizer.getTotalSize() - drawnTo}px` }}>
        {items.map(({ index, start }, at) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={row.key}
              class={`row ${row.kind}-row`}
              data-index={index}
              ref={virtualizer.measureElement}
              style={{ marginTop: `${start - (items[at - 1]?.end ?? 0)}px` }}
            >
              <RowView
                row={row}
                run={running && index === rows.length - 1 ? run : IDLE}
                save={save}
                last={index === retryable}
                goesOn={goesOnBelow(rows, index)}
                position={index + 1}
                count={hasOlder ? -1 : rows.length}
                current={index === (focused < 0 ? lastMessage : focused)}
                onFocus={setFocusedKey}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Whether the run line belongs to the answer that is there already, or is a row of its own. */
function runsInAnswer(live: LiveView, pending: number): boolean {
  const last = live.transcript.messages.at(-1);
  return last?.role === 'assistant' && isOpenEnded(last) && pending === 0;
}
