import type { VNode } from 'preact';
import type { Tone } from '../tone';

/** A codicon. Decoration only: what it means is said in words beside it or in its button's name. */
export function Icon({ name, tone, fold }: { name: string; tone?: Tone | undefined; fold?: boolean }): VNode {
  const classes = ['codicon', `codicon-${name}`];
  if (tone !== undefined) classes.push(`is-${tone}`);
  if (fold === true) classes.push('fold');
  return <i class={classes.join(' ')} aria-hidden="true" />;
}

/** A 24 px button that shows an icon only. */
export function IconButton(props: {
  icon: string;
  name: string;
  hint?: string;
  kind?: 'send' | 'stop';
  submit?: boolean;
  disabled?: boolean;
  /** It does nothing for now, but keeps the focus. */
  waits?: boolean;
  onPress?: () => void;
}): VNode {
  return (
    <button
      class={props.kind === undefined ? 'ib' : `ib ${props.kind}`}
      type={props.submit === true ? 'submit' : 'button'}
      aria-label={props.name}
      title={props.hint ?? props.name}
      disabled={props.disabled ?? false}
      aria-disabled={props.waits === true ? true : undefined}
      onClick={props.waits === true ? undefined : props.onPress}
    >
      <Icon name={props.icon} />
    </button>
  );
}
