import type { VNode } from 'preact';
import type { WindowFacts } from '../../protocol/status';
import { strings } from '../strings';
import { usePage } from './context';
import { useLater } from './later';
import { ActionLine } from './line';

/** What stands where there is no message yet: what this is, and the way to the first. */
export function EmptyState({ facts }: { facts: WindowFacts | undefined }): VNode | null {
  const later = useLater();
  if (facts === undefined) return null;
  const { server } = facts;
  switch (server.kind) {
    case 'unknown':
      return <p class="muted">{strings.empty.looking}</p>;
    case 'down':
      return later === undefined ? null : <later.NoServer server={server} machine={facts.remote} />;
    case 'up':
      if (server.models.length > 0) return <Ready facts={facts} />;
      return later === undefined ? null : <later.NoModels facts={facts} version={server.version} />;
  }
}

function Ready({ facts }: { facts: WindowFacts }): VNode {
  const page = usePage();
  const words = strings.empty;
  const { folder } = facts;
  const starters = folder === undefined ? words.noFolderStarters : words.starters;
  return (
    <div class="empty">
      <div>
        <h1>{folder === undefined ? words.noFolderTitle : words.title(folder)}</h1>
        <p class="muted">
          {whereItRuns(facts, page.model.value)} {words.saved} {folder === undefined ? words.noFolder : words.asks}
        </p>
      </div>
      <div>
        <h2>{words.startWith}</h2>
        {starters.map(({ icon, text }) => (
          <ActionLine key={text} icon={icon} onPress={() => page.fillComposer(text)}>
            {text}
          </ActionLine>
        ))}
      </div>
    </div>
  );
}

/** Names every machine but this one that the words will go to. */
function whereItRuns(facts: WindowFacts, model: string | undefined): string {
  const { server } = facts;
  const cloud = server.kind === 'up' ? server.models.find((info) => info.name === model)?.remoteHost : undefined;
  const elsewhere = cloud ?? (isLoopback(server.host) ? facts.remote : server.host);
  return elsewhere === undefined ? strings.empty.here : strings.empty.on(elsewhere);
}

function isLoopback(host: string): boolean {
  return /^(?:https?:\/\/)?(?:localhost|127(?:\.\d+){3}|\[?::1\]?)(?::\d+)?\/?$/i.test(host);
}
