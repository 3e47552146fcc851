import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PullState, WindowFacts } from '../../protocol/status';
import type { LiveView } from '../../protocol/hydration';
import { isSameModel } from '../store/modelName';
import { usePage } from './context';
import { Banners, ElsewhereBanner } from './banner';
import { Composer } from './composer';
import { EmptyState } from './emptyState';
import { Following } from './following';
import { JumpButton } from './jumpButton';
import { useLater } from './later';
import { Queue } from './queue';
import { Transcript } from './transcript';
import { useApprovalKeys } from './useApprovalKeys';
import { strings } from '../strings';

/** The whole page: the transcript, or what stands in its place, above what belongs to writing. */
export function App(): VNode {
  const page = usePage();
  const [following] = useState(() => new Following());
  const later = useLater();
  useApprovalKeys();
  const live = page.live.value;
  const pulls = pullsBeside(page.facts.value, live);
  const hasMessages = live !== undefined && (live.transcript.messages.length > 0 || page.pending.value.length > 0);
  const elsewhere = live?.status.owner === 'elsewhere';
  return (
    <main class="hf">
      {/* VS Code shows the title above the page, where a screen reader in the page does not find it. */}
      {hasMessages && <h1 class="sr">{live.transcript.conversation.title || strings.conversation}</h1>}
      {hasMessages ? (
        <Transcript key={live.transcript.conversation.id} live={live} following={following} />
      ) : (
        <div class="hf-log" role="log" aria-label={strings.conversation} aria-live="off" tabIndex={0}>
          <EmptyState facts={page.facts.value} />
        </div>
      )}
      <div class="hf-dock">
        {hasMessages && <JumpButton following={following} />}
        <Spoken />
        <Banners hasMessages={hasMessages} />
        {later !== undefined && pulls.length > 0 && <later.PullList pulls={pulls} />}
        <Queue readOnly={elsewhere} />
        {elsewhere ? <ElsewhereBanner /> : <Composer />}
      </div>
    </main>
  );
}

/** The models on their way that nothing else on the page tells of. */
function pullsBeside(facts: WindowFacts | undefined, live: LiveView | undefined): readonly PullState[] {
  const pulls = facts?.pulls ?? [];
  const messages = live?.transcript.messages ?? [];
  if (messages.length === 0) return facts?.server.kind === 'up' && facts.server.models.length === 0 ? [] : pulls;
  const last = messages.at(-1);
  const missed = last?.reason === 'model_not_found' ? last.model : undefined;
  return missed === undefined ? pulls : pulls.filter((pull) => !isSameModel(pull.model, missed));
}

/** What is said to those who do not see the page. */
function Spoken(): VNode {
  const { announcer } = usePage();
  return (
    <>
      <div class="sr" role="status">
        {announcer.status.value}
      </div>
      <div class="sr" role="alert">
        {announcer.alert.value}
      </div>
    </>
  );
}
