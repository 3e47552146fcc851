import type { VNode } from 'preact';
import type { RunState } from '../../protocol/status';
import { formatLive } from '../format';
import { strings } from '../strings';
import { Icon } from './icon';
import { useNow } from './useNow';

/** The last line while a run lives: what it does, and for how long it has been going on. */
export function RunLine({ run }: { run: Exclude<RunState, { kind: 'idle' }> }): VNode {
  const now = useNow(true);
  return (
    <div class="run">
      <Icon name="loading" />
      <span class="cut">{word(run)}</span>
      <span class="end">{formatLive(now - run.startedAt)}</span>
    </div>
  );
}

function word(run: Exclude<RunState, { kind: 'idle' }>): string {
  switch (run.kind) {
    case 'waiting':
      return strings.waiting;
    case 'thinking':
      return strings.thinking;
    case 'writing':
      return strings.writing;
    case 'tools':
      return strings.working;
    case 'retrying':
      return strings.retrying(run.attempt, run.of);
    case 'compacting':
      return strings.compacting;
    case 'awaiting_approval':
      return strings.waitsForYou;
    case 'stopping':
      return strings.stopping;
  }
}
