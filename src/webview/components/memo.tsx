import type { FunctionComponent, VNode } from 'preact';
import { useRef } from 'preact/hooks';

/**
 * `Inner`, drawn again only when a prop is another value. Preact skips a node that is the same object as last time;
 * its own `memo` is in preact/compat, which would cost the page 3 kB.
 */
export function memo<P extends object>(Inner: FunctionComponent<P>): FunctionComponent<P> {
  function Memo(props: P): VNode {
    const last = useRef<{ readonly props: P; readonly node: VNode }>(undefined);
    if (last.current !== undefined && sameProps(last.current.props, props)) return last.current.node;
    const node = <Inner {...props} />;
    last.current = { props, node };
    return node;
  }
  return Memo;
}

function sameProps<P extends object>(a: P, b: P): boolean {
  const keys = Object.keys(a) as (keyof P)[];
  return keys.length === Object.keys(b).length && keys.every((key) => Object.is(a[key], b[key]));
}
