import type { VNode } from 'preact';
import { modelWords } from '../modelWords';
import { isMissing } from '../store/modelName';
import { usePage } from './context';
import { Icon } from './icon';

/** Names the model of the conversation, and opens the list of models. */
export function ModelButton(): VNode {
  const page = usePage();
  const model = page.model.value;
  const open = page.popup.value === 'model';
  const missing = model !== undefined && isMissing(page.facts.value, model);
  return (
    <button
      class="pick model"
      type="button"
      aria-label={modelWords.button(model)}
      title={missing ? modelWords.missing(model) : modelWords.button(model)}
      aria-haspopup="listbox"
      aria-expanded={open}
      // The list closes when the focus leaves it; without this, the press that closes it would open it again.
      onPointerDown={(event) => open && event.preventDefault()}
      onClick={() => page.showPopup(open ? undefined : 'model')}
    >
      {missing && <Icon name="warning" tone="warn" />}
      <span class={model === undefined ? 'cut muted' : 'cut'}>{model ?? modelWords.none}</span>
      <Icon name="chevron-down" />
    </button>
  );
}
