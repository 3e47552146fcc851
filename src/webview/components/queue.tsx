import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { QUEUED_CHARS } from '../limits';
import type { QueueRow } from '../store/messageQueue';
import { strings } from '../strings';
import { usePage } from './context';
import { IconButton } from './icon';
import { usePatience } from './userMessage';

/** The messages that wait for their turn. `readOnly`: another window sends them. */
export function Queue({ readOnly }: { readOnly: boolean }): VNode | null {
  const rows = usePage().queue.rows.value;
  return rows.length === 0 ? null : <QueueRows rows={rows} readOnly={readOnly} />;
}

function QueueRows({ rows, readOnly }: { rows: readonly QueueRow[]; readOnly: boolean }): VNode {
  const page = usePage();
  const group = useRef<HTMLElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const queues = page.queues.value;

  // A row that is moved in the page loses the focus that stands in it.
  const moving = useRef<Element>(undefined);
  useLayoutEffect(() => {
    const element = moving.current;
    moving.current = undefined;
    if (element instanceof HTMLElement && element.isConnected) element.focus();
  }, [rows]);
  const move = (row: QueueRow, by: -1 | 1): void => {
    moving.current = document.activeElement ?? undefined;
    void page.moveQueued(row, by);
  };

  const before = useRef(rows.length);
  useEffect(() => {
    // The new one is the last; it may be below the rows that fit.
    if (rows.length > before.current) list.current?.scrollTo({ top: list.current.scrollHeight });
    before.current = rows.length;
  }, [rows.length]);
  // The focus must not fall out of the page with what it stood on.
  useLayoutEffect(
    () => () => {
      if (group.current?.contains(document.activeElement) === true) page.focusComposer();
    },
    [page],
  );
  return (
    <section class="queue" role="group" aria-label={strings.queue.name(rows.length)} tabIndex={-1} ref={group}>
      <div class="cap">{queues ? strings.queue.goesOn : strings.queue.held}</div>
      <ol ref={list}>
        {rows.map((row, index) => (
          <Row
            key={row.clientId}
            row={row}
            place={index + 1}
            stops={queues}
            readOnly={readOnly}
            onMove={(by) => move(row, by)}
            onFocusLost={() => group.current?.focus()}
          />
        ))}
      </ol>
    </section>
  );
}

interface RowProps {
  readonly row: QueueRow;
  /** In the queue, from 1. */
  readonly place: number;
  /** Whether sending it now stops an answer. */
  readonly stops: boolean;
  readonly readOnly: boolean;
  /** It goes up (-1) or down (1) by one place. */
  readonly onMove: (by: -1 | 1) => void;
  /** The row goes while the focus is in it. */
  readonly onFocusLost: () => void;
}

function Row({ row, place, stops, readOnly, onMove, onFocusLost }: RowProps): VNode {
  const page = usePage();
  const item = useRef<HTMLLIElement>(null);
  // Not to the next row's button of the same kind: a second press would do it again, to another message.
  useLayoutEffect(
    () => () => {
      if (item.current?.contains(document.activeElement) === true) onFocusLost();
    },
    [],
  );
  const words = strings.queue;
  const text = row.text.slice(0, QUEUED_CHARS);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li
      ref={item}
      tabIndex={readOnly ? undefined : 0}
      aria-keyshortcuts={readOnly ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
      onKeyDown={readOnly ? undefined : onKeyDown}
    >
      <span class="n">{place}</span>
      <span class="cut" dir="auto" title={readOnly ? text : words.moveHint(text)}>
        {text}
      </span>
      {row.sentAt !== undefined && <OnItsWay sentAt={row.sentAt} />}
      {!readOnly && (
        <>
          <IconButton
            icon="arrow-up"
            name={stops ? words.sendNowStopping : words.sendNow}
            hint={stops ? words.sendNowStoppingHint : words.sendNow}
            onPress={() => void page.sendQueued(row)}
          />
          <IconButton
            icon="edit"
            name={words.edit(place)}
            hint={words.editHint}
            onPress={() => void page.editQueued(row)}
          />
          <IconButton
            icon="close"
            name={words.remove(place)}
            hint={words.removeHint}
            onPress={() => void page.removeQueued(row)}
          />
        </>
      )}
    </li>
  );
}

function OnItsWay({ sentAt }: { sentAt: number }): VNode | null {
  return usePatience(sentAt) ? <span class="meta">{strings.notSavedYet}</span> : null;
}
