import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { LoadedModel, ModelInfo, WindowFacts } from '../../protocol/status';
import { formatBytes } from '../format';
import { modelWords } from '../modelWords';
import { popupWords } from '../popupWords';
import { isSameModel, modelInfo } from '../store/modelName';
import { usePage } from './context';
import { Icon } from './icon';
import { movedBy } from './listKeys';

/** The list of models, above the composer. */
export function ModelPopup({ onClose }: { onClose: () => void }): VNode {
  const page = usePage();
  const list = useRef<HTMLDivElement>(null);
  const server = page.facts.value?.server;
  const model = page.model.value;
  const options = optionsOf(page.facts.value, model);
  // After the models, the entry that pulls another one.
  const pullAt = options.length;
  const chosen = model === undefined ? -1 : options.findIndex((option) => isSameModel(option.info.name, model));
  // By name: the list may change while it is open. Undefined: the last entry.
  const activeName = useSignal(options[Math.max(0, chosen)]?.info.name);
  const found = options.findIndex((option) => option.info.name === activeName.value);
  const active = activeName.value === undefined ? pullAt : Math.max(0, found);
  const setActive = (index: number): void => {
    activeName.value = options[index]?.info.name;
  };

  useLayoutEffect(() => list.current?.focus(), []);
  useEffect(() => {
    list.current?.querySelector('.is-active')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const close = (): void => {
    page.showPopup(undefined);
    onClose();
  };
  const take = (index: number): void => {
    const option = options[index];
    if (option?.info.chat === false) return;
    close();
    if (index === pullAt) void page.run('pullModel');
    else if (option !== undefined && index !== chosen) void page.chooseModel(option.info.name);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = movedBy(event.key, active, options.length + 1);
    if (target !== undefined) setActive(target);
    else if (event.key === 'Enter' || event.key === ' ') take(active);
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (event.key === '.' && event.altKey && (event.ctrlKey || event.metaKey)) close();
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="popup"
      role="listbox"
      aria-label={popupWords.list}
      aria-activedescendant={`model-${active}`}
      tabIndex={0}
      ref={list}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        if (!(next instanceof Node) || !list.current?.contains(next)) page.showPopup(undefined);
      }}
    >
      {options.map((option, index) => (
        <Option
          key={option.info.name}
          id={`model-${index}`}
          option={option}
          chosen={index === chosen}
          active={index === active}
          onActive={() => setActive(index)}
          onTake={() => take(index)}
        />
      ))}
      {server !== undefined && (
        <div class="cap" role="presentation">
          {popupWords.at(server.host)}
        </div>
      )}
      <div
        id={`model-${pullAt}`}
        class={active === pullAt ? 'opt is-active' : 'opt'}
        role="option"
        aria-selected={false}
        onPointerMove={() => setActive(pullAt)}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => take(pullAt)}
      >
        <Icon name="cloud-download" />
        <div class="cut">{modelWords.pullModel}</div>
      </div>
    </div>
  );
}

interface ModelOption {
  readonly info: ModelInfo;
  /** Chosen once, and not there any more. */
  readonly missing: boolean;
  /** How it stands in the memory of the server. */
  readonly loaded: LoadedModel | undefined;
}

function Option(props: {
  id: string;
  option: ModelOption;
  chosen: boolean;
  active: boolean;
  onActive: () => void;
  onTake: () => void;
}): VNode {
  const { option, chosen } = props;
  const { info, missing } = option;
  const facts = missing ? popupWords.notHere : factsOf(option);
  const icon = missing ? <Icon name="warning" tone="warn" /> : <Icon name={chosen ? 'check' : 'blank'} />;
  return (
    <div
      id={props.id}
      class={props.active ? 'opt tall is-active' : 'opt tall'}
      role="option"
      aria-selected={chosen}
      aria-disabled={info.chat === false}
      title={info.name}
      onPointerMove={props.onActive}
      // The focus stays in the list until the choice is made.
      onPointerDown={(event) => event.preventDefault()}
      onClick={props.onTake}
    >
      {icon}
      <div>
        <span class="name">{info.name}</span>
        {facts !== '' && <span class="two">{facts}</span>}
      </div>
      {info.tools === false && info.chat !== false && <span class="tag">{popupWords.noTools}</span>}
      {info.remoteHost !== undefined && <span class="tag">{popupWords.remote}</span>}
    </div>
  );
}

/** As the server orders them; the chosen one that is gone first, and what cannot be chosen last. */
function optionsOf(facts: WindowFacts | undefined, model: string | undefined): readonly ModelOption[] {
  const server = facts?.server.kind === 'up' ? facts.server : undefined;
  const loaded = server?.loaded ?? [];
  const options = (server?.models ?? []).map((info): ModelOption => ({
    info,
    missing: false,
    loaded: loaded.find(({ name }) => isSameModel(name, info.name)),
  }));
  const usable = options.filter(({ info }) => info.chat !== false);
  const others = options.filter(({ info }) => info.chat === false);
  if (model === undefined || modelInfo(facts, model) !== undefined) return [...usable, ...others];
  return [{ info: { name: model }, missing: server !== undefined, loaded: undefined }, ...usable, ...others];
}

function factsOf({ info, loaded }: ModelOption): string {
  const able = popupWords.abilities;
  const abilities = [
    info.tools === true ? able.tools : '',
    info.thinking === true ? able.thinking : '',
    info.vision === true ? able.vision : '',
  ];
  const facts = [
    loaded === undefined ? '' : popupWords.inMemory,
    // Of a model that runs elsewhere only a note is stored here.
    info.size === undefined || info.remoteHost !== undefined ? '' : formatBytes(info.size),
    info.parameterSize ?? '',
    windowOf(info, loaded),
    abilities.filter((one) => one !== '').join(', '),
    info.chat === false ? popupWords.noChat : '',
    info.remoteHost === undefined ? '' : popupWords.runsOn(bareHost(info.remoteHost)),
  ];
  // No line begins with the point.
  return facts.filter((fact) => fact !== '').join('\u00a0· ');
}

/** `ollama.com` of `https://ollama.com:443`. */
function bareHost(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/:443$/, '');
}

function windowOf({ trainedContext }: ModelInfo, loaded: LoadedModel | undefined): string {
  if (trainedContext === undefined) return '';
  const window = loaded?.contextLength;
  return window === undefined || window >= trainedContext
    ? popupWords.window(trainedContext)
    : popupWords.windowOf(window, trainedContext);
}
