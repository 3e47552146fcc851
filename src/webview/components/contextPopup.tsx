import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ContextMeter, WindowFacts } from '../../protocol/status';
import { formatPercent, formatTokens } from '../format';
import { modelWords } from '../modelWords';
import { popupWords } from '../popupWords';
import { isSameModel } from '../store/modelName';
import { usePage } from './context';
import { shareOf } from './meter';

const words = popupWords.meter;

/** What fills the window of the model, above the composer. `onClose`: the focus goes back to where it came from. */
export function ContextPopup({ onClose }: { onClose: () => void }): VNode | null {
  const page = usePage();
  const dialog = useRef<HTMLDivElement>(null);
  const meter = page.live.value?.status.context;
  useLayoutEffect(() => dialog.current?.focus(), []);
  if (meter === undefined) return null;

  const running = page.running.value;
  const close = (): void => {
    page.showPopup(undefined);
    onClose();
  };
  const share = shareOf(meter);
  return (
    <div
      class="popup ctx"
      role="dialog"
      aria-label={words.dialog}
      tabIndex={-1}
      ref={dialog}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        if (!(next instanceof Node) || !dialog.current?.contains(next)) page.showPopup(undefined);
      }}
    >
      <div class="lead">
        <span>
          {meter.window === undefined ? words.leadUnknown(meter.tokens) : words.lead(meter.tokens, meter.window)}
        </span>
        <span>{share === undefined ? '' : formatPercent(share)}</span>
      </div>
      <Breakdown meter={meter} />
      <p class="fine">{sentenceOf(meter, isLoaded(page.facts.value, page.model.value))}</p>
      <div class="acts">
        <button
          class="btn second"
          type="button"
          disabled={running}
          title={running ? modelWords.meter.compactRunning : undefined}
          onClick={() => {
            close();
            void page.compact();
          }}
        >
          {words.compact}
        </button>
        <button class="btn ghost" type="button" onClick={() => void page.run('openWindowSetting')}>
          {words.change}
        </button>
      </div>
    </div>
  );
}

function Breakdown({ meter }: { meter: ContextMeter }): VNode {
  const { system, files, history, tokens, window } = meter;
  const free = window === undefined ? undefined : Math.max(0, window - tokens);
  const of = Math.max(window ?? 0, tokens, 1);
  const lines = [
    { colour: 'c1', name: words.system, tokens: system },
    { colour: 'c2', name: words.files, tokens: files },
    { colour: 'c3', name: words.history, tokens: history },
  ] as const;
  const bar = words.bar(
    formatTokens(system),
    formatTokens(files),
    formatTokens(history),
    free === undefined ? undefined : formatTokens(free),
  );
  const share = (part: number): string => (window === undefined ? '' : formatPercent(part / window));
  return (
    <>
      <div class="seg" role="img" aria-label={bar}>
        {lines.map((line) => (
          <i key={line.colour} class={line.colour} style={{ width: `${(line.tokens / of) * 100}%` }} />
        ))}
        <i class="c0 rest" />
      </div>
      <dl>
        {lines.map((line) => (
          <div key={line.colour}>
            <dt>
              <i class={line.colour} />
              {line.name}
            </dt>
            <dd>{formatTokens(line.tokens)}</dd>
            <dd>{share(line.tokens)}</dd>
          </div>
        ))}
        <div>
          <dt>
            <i class="c0" />
            {words.free}
          </dt>
          <dd>{free === undefined ? '–' : formatTokens(free)}</dd>
          <dd>{free === undefined ? '' : share(free)}</dd>
        </div>
      </dl>
    </>
  );
}

/** What is known of the real window. */
function sentenceOf({ window, trained, reported }: ContextMeter, loaded: boolean): string {
  const more = reported ? [words.summarised] : [words.summarised, words.estimated];
  if (window === undefined) {
    return [`${words.unknown}.`, ...(trained === undefined ? [] : [words.trainedAlone(trained)]), ...more].join(' ');
  }
  const real = loaded ? words.loaded(window) : words.runs(window);
  return [`${real}${trained === undefined ? '' : words.trained(trained)}.`, ...more].join(' ');
}

function isLoaded(facts: WindowFacts | undefined, model: string | undefined): boolean {
  const loaded = facts?.server.kind === 'up' ? (facts.server.loaded ?? []) : [];
  return model !== undefined && loaded.some(({ name }) => isSameModel(name, model));
}
