import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from './context';
import { Banners, ElsewhereBanner } from './banner';
import { Composer } from './composer';
import { EmptyState } from './emptyState';
import { Following } from './following';
import { JumpButton } from './jumpButton';
import { Queue } from './queue';
import { Transcript } from './transcript';
import { strings } from '../strings';

/** The whole page: the transcript, or what stands in its place, above what belongs to writing. */
export function App(): VNode {
  const page = usePage();
  const [following] = useState(() => new Following());
  const live = page.live.value;
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
        <Queue readOnly={elsewhere} />
        {elsewhere ? <ElsewhereBanner /> : <Composer />}
      </div>
    </main>
  );
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
