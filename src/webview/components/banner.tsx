import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import type { SaveState, ServerState } from '../../protocol/status';
import { formatWholeSeconds } from '../format';
import { modelWords } from '../modelWords';
import type { Problem } from '../store/pageStore';
import { strings } from '../strings';
import type { Tone } from '../tone';
import { usePage } from './context';
import { Icon } from './icon';
import { RetryClock } from './retryClock';
import { useNow } from './useNow';

/** Above the composer, what the person has to know: one thing at a time, the gravest first. */
export function Banners({ hasMessages }: { hasMessages: boolean }): VNode | null {
  const page = usePage();
  const problem = page.problem.value;
  const save = page.live.value?.status.save;
  const server = page.facts.value?.server;
  if (problem !== undefined) return <ProblemBanner problem={problem} />;
  if (save?.kind === 'unsaved') return <NotSavedBanner save={save} />;
  if (save?.kind === 'rejected') return <RejectedBanner save={save} />;
  if (!hasMessages || server === undefined) return null;
  if (server.kind === 'down') return <NoServerBanner server={server} />;
  if (server.kind === 'up' && server.models.length === 0) return <NoModelBanner />;
  return null;
}

interface BannerProps {
  readonly kind: 'plain' | 'warn' | 'bad';
  readonly role: 'alert' | 'status' | 'region';
  readonly label: string;
  readonly icon: string;
  readonly tone: Tone;
  readonly lead: string;
  /** What is spoken in place of a lead that changes every second: an alert that changes is read out again. */
  readonly spoken?: string;
  readonly children: ComponentChildren;
}

function Banner(props: BannerProps): VNode {
  return (
    <div class={props.kind === 'plain' ? 'banner' : `banner ${props.kind}`} role={props.role} aria-label={props.label}>
      <Icon name={props.icon} tone={props.tone} />
      <div>
        <span class="lead" aria-hidden={props.spoken !== undefined}>
          {props.lead}
        </span>
        {props.spoken !== undefined && <span class="sr">{props.spoken}</span>} {props.children}
      </div>
    </div>
  );
}

function ProblemBanner({ problem }: { problem: Problem }): VNode {
  const page = usePage();
  const moving = page.moving.value !== undefined;
  return (
    <Banner kind="bad" role="alert" label={strings.problem} icon="error" tone="bad" lead={problem.lead}>
      {problem.text}
      <div class="acts">
        {problem.fork !== undefined && (
          <button class="btn second" type="button" disabled={moving} onClick={() => void page.forkRefused(problem)}>
            {strings.fork}
          </button>
        )}
        <button class="btn second" type="button" onClick={() => page.dismissProblem()}>
          {strings.dismiss}
        </button>
      </div>
    </Banner>
  );
}

function NotSavedBanner({ save }: { save: Extract<SaveState, { kind: 'unsaved' }> }): VNode {
  const page = usePage();
  const why = useSignal(false);
  const now = useNow(true);
  const words = strings.notSaved;
  return (
    <Banner
      kind="warn"
      role="alert"
      label={words.label}
      icon="warning"
      tone="warn"
      lead={words.lead(formatWholeSeconds(now - save.since))}
      spoken={`${words.label}.`}
    >
      {words.text(save.waiting)}
      <div class="acts">
        <button class="btn second" type="button" onClick={() => void page.trySave()}>
          {words.retry}
        </button>
        <button class="btn ghost" type="button" aria-expanded={why.value} onClick={() => (why.value = !why.value)}>
          {why.value ? words.hideWhy : words.why}
        </button>
      </div>
      {why.value && <p class="why">{save.why}</p>}
    </Banner>
  );
}

function RejectedBanner({ save }: { save: Extract<SaveState, { kind: 'rejected' }> }): VNode {
  const words = strings.notSaved;
  return (
    <Banner kind="warn" role="alert" label={words.label} icon="warning" tone="warn" lead={words.rejected(save.count)}>
      {words.rejectedText}
      <p class="why">{save.why}</p>
    </Banner>
  );
}

function NoServerBanner({ server }: { server: Extract<ServerState, { kind: 'down' }> }): VNode {
  const page = usePage();
  const words = strings.noServer;
  return (
    // A region, not a status: its clock would be read out every second.
    <Banner kind="plain" role="region" label={words.title} icon="debug-disconnect" tone="bad" lead={`${words.title}.`}>
      {words.banner(server.host)}
      <div class="acts">
        {server.offers?.map((offer) =>
          offer.kind === 'host' ? (
            <button
              key={offer.host}
              class="btn second"
              type="button"
              title={offer.why}
              onClick={() => void page.server.use(offer.host)}
            >
              {modelWords.use(offer.host)}
            </button>
          ) : null,
        )}
        <button class="btn second" type="button" onClick={() => void page.server.tryAgain()}>
          {words.tryAgain}
        </button>
        <button class="btn ghost" type="button" onClick={() => void page.run('chooseHost')}>
          {words.chooseHost}
        </button>
        <RetryClock server={server} />
      </div>
    </Banner>
  );
}

function NoModelBanner(): VNode {
  const page = usePage();
  const words = modelWords.noModels;
  return (
    <Banner kind="plain" role="region" label={words.label} icon="warning" tone="warn" lead={words.lead}>
      {words.text}
      <div class="acts">
        <button class="btn second" type="button" onClick={() => void page.run('pullModel')}>
          {modelWords.pullModel}
        </button>
        <button class="btn ghost" type="button" onClick={() => void page.run('chooseHost')}>
          {strings.noServer.chooseHost}
        </button>
      </div>
    </Banner>
  );
}

/** In place of the composer while another window writes this conversation. */
export function ElsewhereBanner(): VNode {
  const page = usePage();
  const words = strings.elsewhere;
  const moving = page.moving.value;
  const doing = moving === 'fork' ? strings.forking : words.takingOver;
  return (
    // A status, so that the change of its sentence is spoken.
    <Banner kind="plain" role="status" label={words.label} icon="multiple-windows" tone="info" lead={words.lead}>
      {moving === undefined ? words.text : doing}
      <div class="acts">
        <button
          class="btn"
          type="button"
          disabled={moving !== undefined}
          onClick={() => void page.move('continueHere')}
        >
          {words.continueHere}
        </button>
        <button class="btn second" type="button" disabled={moving !== undefined} onClick={() => void page.move('fork')}>
          {strings.fork}
        </button>
      </div>
    </Banner>
  );
}
