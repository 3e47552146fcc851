import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Message } from '../../protocol/message';
import { endingWords as words } from '../endingWords';
import type { Offer } from '../store/ending';
import { isSameModel, pullOf } from '../store/modelName';
import type { PageStore } from '../store/pageStore';
import { strings } from '../strings';
import { usePage } from './context';
import { CopyLine } from './copy';
import { Icon } from './icon';
import { useLater } from './later';
import { memo } from './memo';
import { useEnding } from './useEnding';
import { useKeptFocus } from './useKeptFocus';

/** Under a message that did not end well: what happened, what is kept, what can be done. `last`: it can be retried. */
export const EndNotice = memo<{ message: Message; last: boolean }>(function EndNotice({ message, last }) {
  const details = useSignal(false);
  const note = useRef<HTMLDivElement>(null);
  useKeptFocus(note);
  const ending = useEnding(message);
  if (ending === undefined) return null;
  // Of a limit it is the number, which the notice says.
  const detail = message.reason === 'step_limit' ? '' : (message.detail ?? '');
  const offers = ending.offers.filter((offer) => last || offer === 'log');
  return (
    <div class="note" role="group" aria-label={ending.group} tabIndex={-1} ref={note}>
      <Icon name={ending.icon} tone={ending.tone} />
      <div>
        <span class="lead">{ending.lead}</span> {ending.text} {last && ending.advice}
        {last && ending.command !== undefined && <CopyLine command={ending.command} />}
        {last && message.reason === 'model_not_found' && message.model !== undefined && (
          <PullHere model={message.model} />
        )}
        {(offers.length > 0 || detail !== '') && (
          <div class="acts">
            {offers.map((offer, index) => (
              <OfferButton key={offer} offer={offer} first={index === 0} model={message.model} />
            ))}
            {detail !== '' && (
              <button
                class="btn ghost"
                type="button"
                aria-expanded={details.value}
                onClick={() => (details.value = !details.value)}
              >
                {details.value ? words.hideDetails : words.details}
              </button>
            )}
          </div>
        )}
        {details.value && (
          <pre class="detail" role="group" tabIndex={0} aria-label={words.details}>
            <code dir="ltr">{detail}</code>
          </pre>
        )}
      </div>
    </div>
  );
});

/** In place of a notice where the answer went on: the model was asked again. */
export function FaultRow(): VNode {
  return (
    <div class="line">
      <Icon name="refresh" />
      <span class="what">
        <span class="verb cut" title={words.modelFault.row}>
          {words.modelFault.row}
        </span>
      </span>
    </div>
  );
}

function OfferButton(props: { offer: Offer; first: boolean; model: string | undefined }): VNode | null {
  const page = usePage();
  const { offer, model } = props;
  if (offer === 'pull' && (model === undefined || isBeingPulled(page, model))) return null;
  return (
    <button
      class={props.first && offer !== 'log' ? 'btn' : 'btn second'}
      type="button"
      onClick={() => take(page, offer, model)}
    >
      {label(offer, model ?? strings.unknownModel)}
    </button>
  );
}

/** What has become of getting the model that is missing. */
function PullHere({ model }: { model: string }): VNode | null {
  const page = usePage();
  const later = useLater();
  const pull = pullOf(page.facts.value, model);
  return pull === undefined || later === undefined ? null : <later.PullRow name={model} pull={pull} facts="" />;
}

function isBeingPulled(page: PageStore, model: string): boolean {
  return page.facts.value?.pulls?.some((pull) => isSameModel(pull.model, model)) === true;
}

function label(offer: Offer, model: string): string {
  switch (offer) {
    case 'continue':
      return words.continue;
    case 'retry':
      return strings.retry;
    case 'pull':
      return words.pull(model);
    case 'choose':
      return words.choose;
    case 'compact':
      return words.compact;
    case 'window':
      return words.changeWindow;
    case 'host':
      return strings.noServer.chooseHost;
    case 'log':
      return words.showLog;
  }
}

function take(page: PageStore, offer: Offer, model: string | undefined): void {
  switch (offer) {
    case 'continue':
      return void page.say(words.continueMessage);
    case 'retry':
      return void page.retry();
    case 'pull':
      if (model !== undefined) void page.server.pull(model);
      return undefined;
    case 'choose':
      return page.showPopup('model');
    case 'compact':
      return void page.compact();
    case 'window':
      return void page.run('openWindowSetting');
    case 'host':
      return void page.run('chooseHost');
    case 'log':
      return void page.run('showLog');
  }
}
