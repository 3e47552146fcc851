import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LiveView } from '../../protocol/hydration';
import { OLDER_PX } from '../limits';
import { isOpenEnded, RowBuilder, type Row } from '../store/rows';
import { strings } from '../strings';
import { usePage } from './context';
import { drawnRows } from './drawnRows';
import { ListRow } from './listRow';
import { firstVisible } from './place';
import { RowView } from './rowView';
import type { Scrolling } from './scrolling';
import { useKeptPlace } from './useKeptPlace';
import { useSelectedRows } from './useSelectedRows';

const IDLE = { kind: 'idle' } as const;

/** All messages of the conversation, of which only those near the visible part are drawn. */
export function Transcript({ live, scrolling }: { live: LiveView; scrolling: Scrolling }): VNode {
  const page = usePage();
  const scroller = useRef<HTMLDivElement>(null);
  const [, setDrawings] = useState(0);
  const [focusedKey, setFocusedKey] = useState<string | undefined>(undefined);
  const builder = useRef<RowBuilder>(undefined);
  builder.current ??= new RowBuilder();

  const { conversation, messages, hasOlder } = live.transcript;
  const { run, save, owner } = live.status;
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
  const retryable = running || owner === 'elsewhere' || rows.at(-1)?.kind !== 'answer' ? -1 : rows.length - 1;

  scrolling.heights.setRows(rows, scroller.current?.clientWidth ?? 400);
  const kept = [focused < 0 ? undefined : { from: focused, to: focused }, useSelectedRows(scroller)];
  const drawn = drawnRows(rows.length, scrolling.range(), kept, (index) => scrolling.heights.topOf(index));

  useLayoutEffect(
    () =>
      scroller.current === null
        ? undefined
        : scrolling.attach(scroller.current, () => setDrawings((count) => count + 1)),
    [scrolling],
  );
  useKeptPlace({ page, scroller, scrolling, conversation: conversation.id, rows });
  useLayoutEffect(() => scrolling.settle());

  const onScroll = (): void => {
    if (scroller.current !== null && scroller.current.scrollTop < OLDER_PX) page.loadOlder();
  };
  // Also when a page has come that does not fill the room above.
  useEffect(onScroll, [conversation.id, messages[0]?.seq, hasOlder]);

  const onKeyDown = useRowKeys({ rows, lastMessage, scroller, scrolling, setFocusedKey });
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
      <div class="list" style={{ paddingBottom: `${drawn.after}px` }}>
        {drawn.rows.map(({ index, gap }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <ListRow key={row.key} row={row} index={index} gap={gap} watch={scrolling.watchRow}>
              <RowView
                row={row}
                run={running && index === rows.length - 1 ? run : IDLE}
                save={save}
                last={index === retryable}
                position={index + 1}
                count={hasOlder ? -1 : rows.length}
                current={index === (focused < 0 ? lastMessage : focused)}
                onFocus={setFocusedKey}
              />
            </ListRow>
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

interface RowKeys {
  readonly rows: readonly Row[];
  readonly lastMessage: number;
  readonly scroller: { readonly current: HTMLElement | null };
  readonly scrolling: Scrolling;
  readonly setFocusedKey: (key: string) => void;
}

/** Up and Down go from message to message, Home and End to the first and the last. */
function useRowKeys({
  rows,
  lastMessage,
  scroller,
  scrolling,
  setFocusedKey,
}: RowKeys): (event: KeyboardEvent) => void {
  const focus = (index: number): void => {
    const row = rows[index];
    const element = scroller.current;
    if (row === undefined || element === null) return;
    setFocusedKey(row.key);
    // It may not be drawn before this frame is over.
    requestAnimationFrame(() => {
      const article = element.querySelector<HTMLElement>(`[data-index="${index}"] > article`);
      article?.focus({ preventScroll: true });
      if (article !== null) scrolling.reveal(article);
    });
  };
  return (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = indexOf(event.target);
    const first = scrolling.following.value ? lastMessage : firstVisibleRow(scroller.current, rows);
    switch (event.key) {
      case 'ArrowUp':
        focus(at === undefined ? first : Math.max(at - 1, 0));
        break;
      case 'ArrowDown':
        focus(at === undefined ? first : Math.min(at + 1, lastMessage));
        break;
      case 'Home':
        if (at !== undefined) focus(0);
        scrolling.goTo(0);
        break;
      case 'End':
        if (at !== undefined) focus(lastMessage);
        scrolling.jump();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
}

function firstVisibleRow(scroller: HTMLElement | null, rows: readonly Row[]): number {
  const held = scroller === null ? undefined : firstVisible(scroller);
  return Math.max(
    0,
    rows.findIndex((row) => row.key === held?.key),
  );
}

/** The row that holds `target`. */
function indexOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row === null ? undefined : Number(row.dataset['index']);
}
