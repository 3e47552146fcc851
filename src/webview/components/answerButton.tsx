import type { ComponentChildren, VNode } from 'preact';

/** A button that answers. While an answer travels it does nothing, but keeps the focus. */
export function AnswerButton(props: {
  primary: boolean;
  name?: string;
  hint?: string | undefined;
  busy: boolean;
  onPress: () => void;
  children: ComponentChildren;
}): VNode {
  return (
    <button
      class={props.primary ? 'btn' : 'btn second'}
      type="button"
      aria-label={props.name}
      title={props.hint}
      aria-disabled={props.busy}
      onClick={(event) => {
        // The second press of a double click may meet a card that took the place of the first one.
        if (!props.busy && event.detail < 2) props.onPress();
      }}
    >
      {props.children}
    </button>
  );
}
