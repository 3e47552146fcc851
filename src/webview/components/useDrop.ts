import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Takes files that are dropped on `target`. Answers whether some are held over it. */
export function useDrop(target: RefObject<HTMLElement | null>, onFiles: (files: readonly File[]) => void): boolean {
  const over = useSignal(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const element = target.current;
    if (element === null) return undefined;
    const listening = new AbortController();
    const onDrag = (event: DragEvent): void => {
      const holds = event.dataTransfer?.types.includes('Files') === true;
      // Without it the browser opens the file in place of the page.
      if (holds) event.preventDefault();
      over.value = holds && event.type === 'dragover';
      if (holds && event.type === 'drop') latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    for (const type of ['dragover', 'dragleave', 'drop'] as const) {
      element.addEventListener(type, onDrag, { signal: listening.signal });
    }
    return () => listening.abort();
  }, [target, over]);
  return over.value;
}
