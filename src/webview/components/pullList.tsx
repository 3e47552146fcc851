import type { VNode } from 'preact';
import type { PullState } from '../../protocol/status';
import { popupWords } from '../popupWords';
import { PullRow } from './pullRow';

/** Above the composer: models on their way, while something else is shown. */
export function PullList({ pulls }: { pulls: readonly PullState[] }): VNode {
  return (
    <div class="pulls" role="group" aria-label={popupWords.pull.going}>
      {pulls.map((pull) => (
        <PullRow key={pull.model} name={pull.model} facts="" pull={pull} />
      ))}
    </div>
  );
}
