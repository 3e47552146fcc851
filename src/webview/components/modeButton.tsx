import type { VNode } from 'preact';
import { approvalWords } from '../approvalWords';
import { usePage } from './context';
import { Icon } from './icon';

/** Says what the conversation may do without asking, and opens the menu that changes it. */
export function ModeButton(): VNode | null {
  const page = usePage();
  const mode = page.live.value?.status.mode;
  if (mode === undefined) return null;
  const { icon, name } = approvalWords.modes[mode];
  const open = page.popup.value === 'mode';
  const changing = page.permissions.changing.value;
  const hint =
    changing === undefined ? approvalWords.mode(name) : approvalWords.changingMode(approvalWords.modes[changing].name);
  return (
    <button
      class={`pick mode ${mode}`}
      type="button"
      aria-label={approvalWords.mode(name)}
      title={hint}
      aria-haspopup="menu"
      aria-expanded={open}
      disabled={changing !== undefined}
      // The menu closes when the focus leaves it; without this, the press that closes it would open it again.
      onPointerDown={(event) => open && event.preventDefault()}
      onClick={() => page.showPopup(open ? undefined : 'mode')}
    >
      <Icon name={icon} />
      <span class="label">{name}</span>
      <Icon name="chevron-down" />
    </button>
  );
}
