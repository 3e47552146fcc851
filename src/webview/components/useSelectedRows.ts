import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RowRange } from './drawnRows';

/** The rows that a selection reaches over. They stay drawn, for else the selection would be gone. */
export function useSelectedRows(scroller: RefObject<HTMLElement | null>): RowRange | undefined {
  const [rows, setRows] = useState<RowRange | undefined>(undefined);
  useEffect(() => {
    const update = (): void => {
      const next = selectedRows(scroller.current);
      setRows((before) => (before?.from === next?.from && before?.to === next?.to ? before : next));
    };
    document.addEventListener('selectionchange', update);
    return () => document.removeEventListener('selectionchange', update);
  }, [scroller]);
  return rows;
}

function selectedRows(scroller: HTMLElement | null): RowRange | undefined {
  const selection = getSelection();
  if (scroller === null || selection === null || selection.isCollapsed) return undefined;
  const one = rowOf(scroller, selection.anchorNode);
  const other = rowOf(scroller, selection.focusNode);
  if (one === undefined || other === undefined) return undefined;
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

function rowOf(scroller: HTMLElement, node: Node | null): number | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  const row = element?.closest<HTMLElement>('[data-index]');
  return row !== null && row !== undefined && scroller.contains(row) ? Number(row.dataset['index']) : undefined;
}
