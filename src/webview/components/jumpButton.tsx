import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { strings } from '../strings';
import { usePage } from './context';
import type { Following } from './following';
import { Icon } from './icon';

/** The way back to the end, with how many messages have come since the reader left it. */
export function JumpButton({ following }: { following: Following }): VNode | null {
  const page = usePage();
  const messages = page.live.value?.transcript.messages ?? [];
  const last = messages.at(-1)?.seq ?? 0;
  const seen = useRef(last);
  if (following.on.value || !following.away.value) seen.current = last;
  if (!following.away.value) return null;
  const fresh = messages.length - 1 - messages.findLastIndex((message) => message.seq <= seen.current);
  return (
    <button class="jump" type="button" aria-label={strings.jumpToLatest(fresh)} onClick={() => following.jump()}>
      <Icon name="arrow-down" />
      {fresh > 0 && <span>{strings.jumpCount(fresh)}</span>}
    </button>
  );
}
