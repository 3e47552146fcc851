import type { ComponentChildren, VNode } from 'preact';
import type { FileChange } from '../../protocol/fileChange';
import type { Tone } from '../tone';
import { Counts } from './diff';
import { Icon } from './icon';

/** What stands in a 24 px row: icon, verb, object, where, and the result at the right. */
export interface LineText {
  readonly icon: string;
  readonly tone?: Tone | undefined;
  readonly verb: string;
  readonly object?: string | undefined;
  readonly mono?: boolean;
  readonly place?: string | undefined;
  readonly result?: string | undefined;
  /** In place of a result: lines that came and went. */
  readonly counts?: Pick<FileChange, 'added' | 'removed'> | undefined;
}

/** A row that unfolds something. `name` is its whole sentence for those who do not see it. */
export function FoldLine(props: {
  text: LineText;
  name: string;
  open: boolean;
  hint?: string | undefined;
  onToggle: () => void;
  /** What else the row leads to, by Ctrl+Enter. */
  onOpen?: (() => void) | undefined;
}): VNode {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || props.onOpen === undefined) return;
    // Also so that the row is not toggled.
    event.preventDefault();
    if (!event.repeat) props.onOpen();
  };
  return (
    <button
      class="line"
      type="button"
      aria-expanded={props.open}
      aria-label={props.name}
      title={props.hint}
      onClick={props.onToggle}
      onKeyDown={onKeyDown}
    >
      <Icon name={props.text.icon} tone={props.text.tone} />
      <Icon name={props.open ? 'chevron-down' : 'chevron-right'} fold />
      <LineWords text={props.text} />
    </button>
  );
}

/** A row that does something at once. */
export function ActionLine(props: { icon: string; onPress: () => void; children: ComponentChildren }): VNode {
  return (
    <button class="line" type="button" onClick={props.onPress}>
      <Icon name={props.icon} />
      <span class="what">
        <span class="obj">{props.children}</span>
      </span>
    </button>
  );
}

function LineWords({ text }: { text: LineText }): VNode {
  return (
    <>
      <span class="what">
        <span class="verb">{text.verb}</span>
        {text.object !== undefined && <span class={text.mono === true ? 'obj mono' : 'obj'}>{text.object}</span>}
        {text.place !== undefined && text.place !== '' && <span class="dir">{text.place}</span>}
      </span>
      {text.counts !== undefined && (
        <span class="res">
          <Counts change={text.counts} />
        </span>
      )}
      {text.result !== undefined && text.result !== '' && <span class="res">{text.result}</span>}
    </>
  );
}
