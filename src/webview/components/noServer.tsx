import type { VNode } from 'preact';
import type { ServerState } from '../../protocol/status';
import { Link } from '../markdown/link';
import { strings } from '../strings';
import { usePage } from './context';
import { CopyLine } from './copy';
import { IconButton } from './icon';
import { Offers } from './offers';
import { RetryClock } from './retryClock';

/** No Ollama answers: three ways to one, and trying again. */
export function NoServer(props: {
  server: Extract<ServerState, { kind: 'down' }>;
  /** The machine it is looked for on, when that is not this one. */
  machine: string | undefined;
}): VNode {
  const page = usePage();
  const words = strings.noServer;
  const { server, machine } = props;
  // What was found is the shorter way.
  const found = server.offers?.some(({ kind }) => kind === 'host') === true;
  const [before, host, after] = words.text(server.host, machine);
  return (
    <div class="empty" role="region" aria-label={words.title}>
      <div>
        <h1>{words.title}</h1>
        <p class="muted">
          {before}
          <span class="mono">{host}</span>
          {after}
        </p>
      </div>
      <Offers offers={server.offers ?? []} />
      <ol class="steps">
        <li>
          <div>
            {words.start}
            <CopyLine command="ollama serve">
              <IconButton icon="terminal" name={words.runInTerminal} onPress={() => void page.run('startOllama')} />
            </CopyLine>
          </div>
        </li>
        <li>
          <div>
            {words.install} <Link href="https://ollama.com/download">ollama.com/download</Link>
          </div>
        </li>
        <li>
          <div>
            {words.elsewhere}
            <div>
              <button class="btn second" type="button" onClick={() => void page.run('chooseHost')}>
                {words.chooseHost}
              </button>
            </div>
          </div>
        </li>
      </ol>
      <div class="acts">
        <button class={found ? 'btn second' : 'btn'} type="button" onClick={() => void page.server.tryAgain()}>
          {words.tryAgain}
        </button>
        <RetryClock server={server} />
      </div>
    </div>
  );
}
