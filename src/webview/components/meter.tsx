import type { RefObject, VNode } from 'preact';
import type { ContextMeter } from '../../protocol/status';
import { formatPercent } from '../format';
import { WINDOW_WARN } from '../limits';
import { modelWords } from '../modelWords';
import { usePage } from './context';

/** How full the window is, and the way to what fills it. Nothing until there is something to measure. */
export function Meter({ button }: { button: RefObject<HTMLButtonElement | null> }): VNode | null {
  const page = usePage();
  const meter = page.live.value?.status.context;
  if (meter === undefined) return null;
  const open = page.popup.value === 'context';
  const share = shareOf(meter);
  const name = nameOf(meter);
  return (
    <button
      ref={button}
      class={share !== undefined && share >= WINDOW_WARN ? 'meter high' : 'meter'}
      type="button"
      aria-label={name}
      title={name}
      aria-haspopup="dialog"
      aria-expanded={open}
      // The popup closes when the focus leaves it; without this, the press that closes it would open it again.
      onPointerDown={(event) => open && event.preventDefault()}
      onClick={() => page.showPopup(open ? undefined : 'context')}
    >
      <svg class="ring" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" />
        {share !== undefined && (
          <circle
            class="used"
            cx="8"
            cy="8"
            r="6"
            pathLength={100}
            stroke-dasharray={`${Math.round(Math.min(1, share) * 100)} 100`}
          />
        )}
      </svg>
      {share !== undefined && <span>{formatPercent(share)}</span>}
    </button>
  );
}

/** Of the window; undefined while that is not known. It may be more than all of it. */
export function shareOf({ tokens, window }: ContextMeter): number | undefined {
  return window === undefined || window <= 0 ? undefined : tokens / window;
}

function nameOf({ tokens, window }: ContextMeter): string {
  return window === undefined ? modelWords.meter.nameUnknown(tokens) : modelWords.meter.name(tokens, window);
}
