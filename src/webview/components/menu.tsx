import { useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Tone } from '../tone';
import { Icon } from './icon';
import { movedBy } from './listKeys';

/** Something that a menu does. */
export interface MenuItem {
  readonly key: string;
  readonly icon: string;
  readonly tone?: Tone;
  readonly words: ComponentChildren;
  /** What it means, below it. */
  readonly two?: string;
  /** Of items of which one holds; undefined: it is none of these. */
  readonly checked?: boolean;
  /** What stands above it and those that follow. */
  readonly cap?: string;
}

interface MenuProps {
  readonly name: string;
  readonly items: readonly MenuItem[];
  /** A key that opened it, and closes it as well. */
  readonly isOpener?: (event: KeyboardEvent) => boolean;
  readonly place?: RefObject<HTMLDivElement | null>;
  readonly onTake: (index: number) => void;
  /** `back`: the focus should go where it came from. */
  readonly onClose: (back: boolean) => void;
}

/** A menu with the focus in it. Up and Down move, Enter and Space take, Esc and Tab close. */
export function Menu({ name, items, isOpener, place, onTake, onClose }: MenuProps): VNode {
  const own = useRef<HTMLDivElement>(null);
  const menu = place ?? own;
  const active = useSignal(
    Math.max(
      0,
      items.findIndex(({ checked }) => checked === true),
    ),
  );
  useLayoutEffect(() => {
    menu.current?.querySelector<HTMLElement>('.is-active')?.focus();
  }, [active.value]);

  const take = (index: number): void => {
    onClose(true);
    onTake(index);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = movedBy(event.key, active.value, items.length);
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (isOpener?.(event) === true || event.key === 'Escape' || event.key === 'Tab') onClose(true);
    else if (target !== undefined) active.value = target;
    // A key that is still held down from opening it, or from what came before it, takes nothing.
    else if ((event.key === 'Enter' || event.key === ' ') && !modified && !event.repeat) take(active.value);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="popup"
      role="menu"
      aria-label={name}
      ref={menu}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        if (!(next instanceof Node) || menu.current?.contains(next) !== true) onClose(false);
      }}
    >
      {items.map((item, index) => (
        <Entry
          key={item.key}
          item={item}
          active={index === active.value}
          onActive={() => (active.value = index)}
          onTake={() => take(index)}
        />
      ))}
    </div>
  );
}

function Entry(props: { item: MenuItem; active: boolean; onActive: () => void; onTake: () => void }): VNode {
  const { item, active } = props;
  return (
    <>
      {item.cap !== undefined && (
        <div class="cap" role="presentation">
          {item.cap}
        </div>
      )}
      <div
        class={`opt${item.two === undefined ? '' : ' tall'}${active ? ' is-active' : ''}`}
        role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
        aria-checked={item.checked}
        tabIndex={active ? 0 : -1}
        onPointerMove={props.onActive}
        // The focus stays in the menu until the choice is made.
        onPointerDown={(event) => event.preventDefault()}
        onClick={(event) => event.detail < 2 && props.onTake()}
      >
        <Icon name={item.icon} tone={item.tone} />
        <div>
          <span class="name">{item.words}</span>
          {item.two !== undefined && <span class="two">{item.two}</span>}
        </div>
        {item.checked === true && <Icon name="check" />}
      </div>
    </>
  );
}
