import type { ComponentChildren, VNode } from 'preact';
import type { RunState, WaitPhase } from '../../protocol/status';
import { approvalWords } from '../approvalWords';
import { retryWords } from '../endingWords';
import { formatLive } from '../format';
import { strings } from '../strings';
import { usePage } from './context';
import { Icon } from './icon';
import { useNow } from './useNow';

/** The last line while a run lives: what it does, and for how long it has been going on. */
export function RunLine({ run }: { run: Exclude<RunState, { kind: 'idle' }> }): VNode {
  const model = usePage().model.value ?? strings.unknownModel;
  const now = useNow(true);
  const words = word(run, model);
  const clock = formatLive(now - run.startedAt);
  return (
    <div class="run">
      {run.kind === 'awaiting_approval' ? <Icon name="bell-dot" tone="info" /> : <Icon name="loading" />}
      <span class="cut" title={words}>
        {words}
      </span>
      <span class="end">{run.kind === 'awaiting_approval' ? <ShowApproval>{clock}</ShowApproval> : clock}</span>
    </div>
  );
}

/** In place of the clock while what waits is out of sight: the way to it. */
function ShowApproval({ children }: { children: ComponentChildren }): VNode {
  const { permissions } = usePage();
  const waiting = permissions.waiting.value;
  const inSight = permissions.inSight.value;
  if (waiting.length === 0 || waiting.some(({ request }) => inSight.has(request.id))) return <>{children}</>;
  return (
    <button class="btn ghost" type="button" onClick={() => permissions.show(waiting[0])}>
      {approvalWords.show}
    </button>
  );
}

/** Where a run was suspended while it waited: it goes on when it is answered. */
export function SuspendedLine(): VNode {
  return (
    <div class="run">
      <Icon name="bell-dot" tone="info" />
      <span class="cut">{strings.waitsForYou}</span>
      <span class="end">
        <ShowApproval>{null}</ShowApproval>
      </span>
    </div>
  );
}

function word(run: Exclude<RunState, { kind: 'idle' }>, model: string): string {
  switch (run.kind) {
    case 'waiting':
      return waitingWord(run.phase, model);
    case 'thinking':
      return strings.thinking;
    case 'writing':
      return strings.writing;
    case 'tools':
      return strings.working;
    case 'retrying':
      return strings.retrying(run.attempt, run.of, retryWords[run.reason]);
    case 'compacting':
      return strings.compacting;
    case 'awaiting_approval':
      return strings.waitsForYou;
    case 'stopping':
      return strings.stopping;
  }
}

function waitingWord(phase: WaitPhase | undefined, model: string): string {
  switch (phase) {
    case undefined:
      return strings.waiting;
    case 'loading':
      return strings.loadingModel(model);
    case 'queued':
      return strings.waitingTurn;
    case 'reading':
      return strings.reading;
  }
}
