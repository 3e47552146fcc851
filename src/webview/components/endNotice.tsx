import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Message } from '../../protocol/message';
import { endingOf, offersRetry } from '../store/ending';
import { strings } from '../strings';
import { usePage } from './context';
import { CopyLine } from './copy';
import { Icon } from './icon';
import { memo } from './memo';

/** Under a message that did not end well: what happened, what is kept, what can be done. `last`: it can be retried. */
export const EndNotice = memo<{ message: Message; last: boolean }>(function EndNotice({ message, last }) {
  const page = usePage();
  const details = useSignal(false);
  const ending = endingOf(message, page.facts.value?.server.host ?? '');
  if (ending === undefined) return null;
  return (
    <div class="note" role="group" aria-label={ending.group}>
      <Icon name={ending.icon} tone={ending.tone} />
      <div>
        <span class="lead">{ending.lead}</span> {ending.text} {last && ending.advice}
        {message.reason === 'model_not_found' && message.model !== undefined && (
          <CopyLine command={`ollama pull ${message.model}`} />
        )}
        <Actions
          message={message}
          last={last}
          details={details.value}
          onDetails={() => (details.value = !details.value)}
        />
        {details.value && (
          <pre class="detail" role="group" tabIndex={0} aria-label={strings.details}>
            <code dir="ltr">{message.detail}</code>
          </pre>
        )}
      </div>
    </div>
  );
});

function Actions(props: { message: Message; last: boolean; details: boolean; onDetails: () => void }): VNode | null {
  const page = usePage();
  const { reason, detail } = props.message;
  const retry = props.last && offersRetry(props.message);
  const choose = props.last && reason === 'model_not_found';
  const log = reason === 'internal';
  const hasDetail = detail !== undefined && detail !== '';
  if (!retry && !choose && !log && !hasDetail) return null;
  return (
    <div class="acts">
      {retry && (
        <button class="btn" type="button" onClick={() => void page.retry()}>
          {strings.retry}
        </button>
      )}
      {choose && (
        <button class="btn second" type="button" onClick={() => page.showModelPicker(true)}>
          {strings.modelNotFound.choose}
        </button>
      )}
      {log && (
        <button class="btn second" type="button" onClick={() => void page.run('showLog')}>
          {strings.internal.showLog}
        </button>
      )}
      {hasDetail && (
        <button class="btn ghost" type="button" aria-expanded={props.details} onClick={props.onDetails}>
          {props.details ? strings.hideDetails : strings.details}
        </button>
      )}
    </div>
  );
}
