import { usePage } from './context';

/** A fold that stays as it is when the page is drawn anew, in this life or the next. */
export interface Fold {
  readonly open: boolean;
  readonly toggle: () => void;
}

/** `name` is unique within the conversation. `unfolded`: it is open until the person closes it. */
export function useFold(name: string, unfolded = false): Fold {
  const { ui } = usePage();
  // What is kept is what the person did.
  const kept = unfolded ? `closed:${name}` : name;
  const changed = ui.open.value.has(kept);
  return { open: changed !== unfolded, toggle: () => ui.setOpen(kept, !changed) };
}
