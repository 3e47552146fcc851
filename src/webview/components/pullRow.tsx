import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { PullState } from '../../protocol/status';
import { popupWords } from '../popupWords';
import { usePage } from './context';
import { Icon, IconButton } from './icon';
import { useKeptFocus } from './useKeptFocus';

const words = popupWords.pull;

interface PullRowProps {
  readonly name: string;
  /** What can be said of the model before it is pulled. */
  readonly facts: string;
  readonly pull: PullState | undefined;
}

/** A model that can be pulled, is being pulled, or was not. */
export function PullRow({ name, facts, pull }: PullRowProps): VNode {
  const page = usePage();
  const row = useRef<HTMLDivElement>(null);
  useKeptFocus(row);
  return (
    <div class="pull" role="group" aria-label={name} tabIndex={-1} ref={row}>
      <div class="cut" title={name}>
        {name}
        {pull === undefined && <div class="two cut">{facts}</div>}
        {pull?.kind === 'pulling' && <div class="two cut">{stateOf(pull)}</div>}
      </div>
      {pull === undefined && (
        <button
          class="btn second"
          type="button"
          aria-label={words.pullName(name)}
          onClick={() => void page.server.pull(name)}
        >
          {words.pull}
        </button>
      )}
      {pull?.kind === 'pulling' && <Progress pull={pull} />}
      {pull?.kind === 'failed' && <Failure pull={pull} />}
    </div>
  );
}

function Progress({ pull }: { pull: Extract<PullState, { kind: 'pulling' }> }): VNode {
  const page = usePage();
  const share = shareOf(pull);
  return (
    <>
      <button
        class="btn second"
        type="button"
        aria-label={words.cancelName(pull.model)}
        onClick={() => void page.server.cancelPull(pull.model)}
      >
        {words.cancel}
      </button>
      <div
        class="bar"
        role="progressbar"
        aria-label={words.progress(pull.model)}
        aria-valuemin={0}
        aria-valuemax={100}
        // Without a value it is one that goes on for nobody knows how long.
        aria-valuenow={share === undefined ? undefined : Math.round(share * 100)}
      >
        <i style={{ width: `${(share ?? 0) * 100}%` }} />
      </div>
      <div class="two across">{factsOf(pull)}</div>
    </>
  );
}

function Failure({ pull }: { pull: Extract<PullState, { kind: 'failed' }> }): VNode {
  const page = usePage();
  return (
    <>
      <div class="acts">
        <button class="btn second" type="button" onClick={() => void page.server.pull(pull.model)}>
          {words.again}
        </button>
        <IconButton
          icon="close"
          name={words.dismissName(pull.model)}
          onPress={() => void page.server.cancelPull(pull.model)}
        />
      </div>
      <div class="two across why">
        <Icon name="error" tone="bad" />
        <span>{pull.why}</span>
      </div>
    </>
  );
}

type Pulling = Extract<PullState, { kind: 'pulling' }>;

function shareOf({ completed, total }: Pulling): number | undefined {
  return total === undefined || total === 0 ? undefined : Math.min(1, (completed ?? 0) / total);
}

function stateOf(pull: Pulling): string {
  const { status, completed = 0, total } = pull;
  if (total !== undefined && completed < total) return words.pullingOf(completed, total);
  // The server's words for this very state would say it twice.
  return status === '' || status.startsWith('pulling') ? words.pulling : words.pullingAt(status);
}

function factsOf({ completed = 0, total, bytesPerSecond = 0 }: Pulling): string {
  const flows = bytesPerSecond > 0 && total !== undefined && completed < total;
  const facts = flows ? [words.rate(bytesPerSecond), words.left(((total - completed) / bytesPerSecond) * 1_000)] : [];
  return facts.length === 0 ? words.keptAlone : [...facts, words.kept].join(' · ');
}
