import type { Following } from './following';
import type { ListVirtualizer } from './useVirtualizer';

interface RowKeys {
  readonly lastMessage: number;
  readonly virtualizer: ListVirtualizer;
  readonly following: Following;
  readonly focus: (index: number) => void;
}

/** Up and Down go from message to message, Home and End to the first and the last. */
export function onRowKey(event: KeyboardEvent, { lastMessage, virtualizer, following, focus }: RowKeys): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // There they move in the text.
  if (event.target instanceof HTMLTextAreaElement) return;
  const at = indexOf(event.target);
  const first = following.on.value ? lastMessage : (virtualizer.range?.startIndex ?? 0);
  switch (event.key) {
    case 'ArrowUp':
      focus(at === undefined ? first : Math.max(at - 1, 0));
      break;
    case 'ArrowDown':
      focus(at === undefined ? first : Math.min(at + 1, lastMessage));
      break;
    case 'Home':
      if (at !== undefined) focus(0);
      virtualizer.scrollToOffset(0);
      break;
    case 'End':
      if (at !== undefined) focus(lastMessage);
      following.jump();
      break;
    default:
      return;
  }
  event.preventDefault();
}

/** The row that holds `target`. */
function indexOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row === null ? undefined : Number(row.dataset['index']);
}
