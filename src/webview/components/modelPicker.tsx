import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ModelInfo, WindowFacts } from '../../protocol/status';
import { formatBytes } from '../format';
import { strings } from '../strings';
import { usePage } from './context';
import { Icon } from './icon';

/** Names the model of the conversation, and opens the list of models. */
export function ModelButton(): VNode {
  const page = usePage();
  const model = page.model.value;
  const open = page.modelPicker.value;
  const missing = model !== undefined && isMissing(page.facts.value, model);
  return (
    <button
      class="pick model"
      type="button"
      aria-label={strings.modelButton(model)}
      title={missing ? strings.modelMissing(model) : strings.modelButton(model)}
      aria-haspopup="listbox"
      aria-expanded={open}
      // The list closes when the focus leaves it; without this, the press that closes it would open it again.
      onPointerDown={(event) => open && event.preventDefault()}
      onClick={() => page.showModelPicker(!open)}
    >
      {missing && <Icon name="warning" tone="warn" />}
      <span class={model === undefined ? 'cut muted' : 'cut'}>{model ?? strings.noModel}</span>
      <Icon name="chevron-down" />
    </button>
  );
}

/** The list of models, above the composer. */
export function ModelPopup({ onClose }: { onClose: () => void }): VNode {
  const page = usePage();
  const list = useRef<HTMLDivElement>(null);
  const server = page.facts.value?.server;
  const model = page.model.value;
  const options = optionsOf(page.facts.value, model);
  const chosen = options.findIndex((option) => option.info.name === model);
  const active = useSignal(Math.max(0, chosen));

  useLayoutEffect(() => list.current?.focus(), []);
  useEffect(() => {
    list.current?.querySelector('.is-active')?.scrollIntoView({ block: 'nearest' });
  }, [active.value]);

  const close = (): void => {
    page.showModelPicker(false);
    onClose();
  };
  const take = (index: number): void => {
    const option = options[index];
    close();
    if (option !== undefined && option.info.name !== model) void page.chooseModel(option.info.name);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = moved(event.key, active.value, options.length);
    if (target !== undefined) active.value = target;
    else if (event.key === 'Enter' || event.key === ' ') take(active.value);
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (event.key === '.' && event.altKey && (event.ctrlKey || event.metaKey)) close();
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="popup"
      role="listbox"
      aria-label={strings.models}
      aria-activedescendant={options.length === 0 ? undefined : `model-${active.value}`}
      tabIndex={0}
      ref={list}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        if (!(next instanceof Node) || !list.current?.contains(next)) page.showModelPicker(false);
      }}
    >
      {server !== undefined && (
        <div class="cap" role="presentation">
          {strings.ollamaAt(server.host)}
        </div>
      )}
      {options.length === 0 && (
        <div class="opt" role="option" aria-selected={false} aria-disabled={true}>
          {strings.noModel}
        </div>
      )}
      {options.map((option, index) => (
        <Option
          key={option.info.name}
          id={`model-${index}`}
          option={option}
          chosen={index === chosen}
          active={index === active.value}
          onActive={() => (active.value = index)}
          onTake={() => take(index)}
        />
      ))}
    </div>
  );
}

interface ModelOption {
  readonly info: ModelInfo;
  /** Chosen once, and not there any more. */
  readonly missing: boolean;
}

function Option(props: {
  id: string;
  option: ModelOption;
  chosen: boolean;
  active: boolean;
  onActive: () => void;
  onTake: () => void;
}): VNode {
  const { info, missing } = props.option;
  const facts = missing ? strings.notHere : factsOf(info);
  return (
    <div
      id={props.id}
      class={props.active ? 'opt tall is-active' : 'opt tall'}
      role="option"
      aria-selected={props.chosen}
      title={info.name}
      onPointerMove={props.onActive}
      // The focus stays in the list until the choice is made.
      onPointerDown={(event) => event.preventDefault()}
      onClick={props.onTake}
    >
      {missing ? <Icon name="warning" tone="warn" /> : <Icon name={props.chosen ? 'check' : 'blank'} />}
      <div>
        <span class="cut block">{info.name}</span>
        {facts !== '' && <span class="two cut">{facts}</span>}
      </div>
      {info.remoteHost !== undefined && <span class="tag">{strings.remote}</span>}
    </div>
  );
}

function optionsOf(facts: WindowFacts | undefined, model: string | undefined): readonly ModelOption[] {
  const models = facts?.server.kind === 'up' ? facts.server.models : [];
  const options = models.map((info): ModelOption => ({ info, missing: false }));
  const gone = model !== undefined && !models.some((info) => info.name === model);
  return gone ? [{ info: { name: model }, missing: facts?.server.kind === 'up' }, ...options] : options;
}

/** Whether the server is known not to hold `model`. */
function isMissing(facts: WindowFacts | undefined, model: string): boolean {
  return facts?.server.kind === 'up' && !facts.server.models.some((info) => info.name === model);
}

function factsOf(info: ModelInfo): string {
  const facts = [
    info.size === undefined ? '' : formatBytes(info.size),
    info.parameterSize ?? '',
    info.remoteHost === undefined ? '' : strings.runsOn(info.remoteHost),
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

function moved(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, count - 1);
    case 'ArrowUp':
      return Math.max(from - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return Math.max(0, count - 1);
    default:
      return undefined;
  }
}
