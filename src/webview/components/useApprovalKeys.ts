import { useEffect } from 'preact/hooks';
import { usePage } from './context';

/** F8 and Shift+F8, wherever the focus is: to the next and the previous request that waits. */
export function useApprovalKeys(): void {
  const { permissions } = usePage();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'F8' || event.ctrlKey || event.metaKey || event.altKey) return;
      const card = document.activeElement?.closest<HTMLElement>('[data-request]');
      if (permissions.step(event.shiftKey ? -1 : 1, card?.dataset['request'])) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [permissions]);
}
