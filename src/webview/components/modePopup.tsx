import type { VNode } from 'preact';
import type { Mode } from '../../protocol/approval';
import { approvalWords } from '../approvalWords';
import { popupWords } from '../popupWords';
import { usePage } from './context';
import { Menu, type MenuItem } from './menu';
import { isModeKey } from './modeKey';

const MODES: readonly Mode[] = ['ask', 'auto_edit', 'bypass'];

/** What the conversation may do without asking, above the composer. */
export function ModePopup({ onClose }: { onClose: () => void }): VNode {
  const page = usePage();
  const now = page.live.value?.status.mode;
  const items = MODES.map((mode): MenuItem => {
    const { icon, name } = approvalWords.modes[mode];
    const tone = mode === 'bypass' ? ({ tone: 'warn' } as const) : {};
    return { key: mode, icon, words: name, two: popupWords.modes.means[mode], checked: mode === now, ...tone };
  });
  return (
    <Menu
      name={popupWords.modes.menu}
      items={items}
      isOpener={isModeKey}
      onTake={(index) => {
        const mode = MODES[index];
        if (mode !== undefined && mode !== now) void page.permissions.setMode(mode);
      }}
      onClose={(back) => {
        page.showPopup(undefined);
        if (back) onClose();
      }}
    />
  );
}
