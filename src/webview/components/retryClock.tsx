import type { VNode } from 'preact';
import type { ServerState } from '../../protocol/status';
import { formatTimeWithSeconds } from '../format';
import { strings } from '../strings';
import { useNow } from './useNow';

/** When the server was asked last, and when it will be again. */
export function RetryClock({ server }: { server: Extract<ServerState, { kind: 'down' }> }): VNode {
  const now = useNow(true);
  const seconds = Math.ceil((server.triedAt + server.retryMs - now) / 1_000);
  const time = formatTimeWithSeconds(server.triedAt);
  return (
    <span class="meta" title={server.why}>
      {seconds > 0 ? strings.noServer.tried(time, seconds) : strings.noServer.triedNow(time)}
    </span>
  );
}
