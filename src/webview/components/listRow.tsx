import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Row } from '../store/rows';

/** A row in its place in the list. All its distances are inside it, so that its height is all of it. */
export function ListRow(props: {
  row: Row;
  index: number;
  gap: number;
  watch: (row: HTMLElement) => () => void;
  children: ComponentChildren;
}): VNode {
  const element = useRef<HTMLDivElement>(null);
  const { watch } = props;
  useLayoutEffect(() => (element.current === null ? undefined : watch(element.current)), [watch]);
  return (
    <div
      class={`row ${props.row.kind}-row`}
      data-index={props.index}
      data-key={props.row.key}
      ref={element}
      style={{ marginTop: `${props.gap}px` }}
    >
      {props.children}
    </div>
  );
}
