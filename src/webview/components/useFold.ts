import { usePage } from './context';

/** A fold that stays as it is when the page is drawn anew, in this life or the next. */
export interface Fold {
  readonly open: boolean;
  readonly toggle: () => void;
}

/** `name` is unique within the conversation. */
export function useFold(name: string): Fold {
  const { ui } = usePage();
  const open = ui.open.value.has(name);
  return { open, toggle: () => ui.setOpen(name, !open) };
}
