import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Grant } from '../../protocol/approval';
import { approvalWords } from '../approvalWords';
import { popupWords } from '../popupWords';
import { usePage } from './context';
import { grantWords } from './grantWords';
import { Menu, type MenuItem } from './menu';
import { placeBeside } from './placeBeside';

interface GrantMenuProps {
  readonly grants: readonly Grant[];
  readonly opener: RefObject<HTMLElement | null>;
  readonly onGrant: (grant: number) => void;
  readonly onClose: (back: boolean) => void;
}

/** All that can be granted beside this once, and the way to take it back later. */
export function GrantMenu({ grants, opener, onGrant, onClose }: GrantMenuProps): VNode {
  const page = usePage();
  const menu = useRef<HTMLDivElement>(null);
  const words = popupWords.grants;
  // The list scrolls below the menu, and must not take it out of sight.
  useLayoutEffect(() => placeBeside(menu, opener), [opener]);
  const items = grants.map((grant, index): MenuItem => {
    const { mono, words: said } = grantWords(grant);
    return {
      key: String(index),
      icon: 'blank',
      words: mono === undefined ? said : [<span class="mono">{mono}</span>, ` ${said}`],
      ...(index === 0 ? { cap: words.without(page.facts.value?.folder) } : {}),
    };
  });
  const settings: MenuItem = { key: 'settings', icon: 'gear', words: words.settings, cap: words.later };
  return (
    <Menu
      name={approvalWords.grant}
      items={[...items, settings]}
      place={menu}
      onTake={(index) => (index < grants.length ? onGrant(index) : void page.run('openPermissions'))}
      onClose={onClose}
    />
  );
}
