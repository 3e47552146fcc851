import { isIPv4 } from 'node:net';
import type { ServerOffer } from '../../protocol/status';
import { PROBE_MS } from '../base/limits';
import type { Clock } from '../base/clock';
import { parseAddress } from './address';
import type { ModelClient } from './modelClient';

const PORT = 11434;

/** What is known of the machine that the window's folder is on. */
export interface MachineFacts {
  /** Its routes: the text of `/proc/net/route`, or what `ip route` prints. Absent where it cannot be read. */
  readonly routes?: string;
}

/**
 * Where a server may be that does not answer on the machine itself, by the kind of the remote window (`remoteName` as
 * the editor gives it; undefined: no remote). Nothing of it may be used before the person has agreed.
 */
export function serverCandidates(remoteName: string | undefined, facts: MachineFacts): readonly ServerOffer[] {
  switch (remoteName) {
    case 'wsl': {
      const gateway = facts.routes === undefined ? undefined : readGateway(facts.routes);
      if (gateway === undefined) return [];
      return [{ kind: 'host', host: `${gateway}:${PORT}`, why: 'Windows, as this WSL machine reaches it.' }];
    }
    case 'dev-container':
    case 'attached-container':
    case 'codespaces':
      return [{ kind: 'host', host: `host.docker.internal:${PORT}`, why: 'The computer that runs this container.' }];
    case 'ssh-remote':
      return [{ kind: 'forward', line: `RemoteForward ${PORT} 127.0.0.1:${PORT}` }];
    case undefined:
    default:
      return [];
  }
}

/** The IPv4 address of the way out, in a text of `/proc/net/route` or of `ip route`; undefined when there is none. */
export function readGateway(routes: string): string | undefined {
  for (const line of routes.split('\n')) {
    const words = line.trim().split(/\s+/);
    const [first = '', second = '', third = ''] = words;
    if (first === 'default' && second === 'via' && isIPv4(third)) return third;
    // Interface, destination (0: everywhere), gateway, flags; the address in hexadecimal, its last byte first.
    if (second !== '00000000' || !/^[0-9A-F]{8}$/i.test(third) || third === '00000000') continue;
    return [...Buffer.from(third, 'hex')].reverse().join('.');
  }
  return undefined;
}

/** Asks one server for its models: a client for `baseUrl`. */
export type ClientFor = (baseUrl: string) => Pick<ModelClient, 'listModels'>;

/**
 * The offers that can help: hosts at which a server answers within `PROBE_MS`, and whatever cannot be tried. In the
 * order in which they were given; none when the signal aborts.
 */
export async function probe(
  offers: readonly ServerOffer[],
  clientFor: ClientFor,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly ServerOffer[]> {
  const helping = await Promise.all(
    offers.map(async (offer) => offer.kind === 'forward' || (await answers(offer.host, clientFor, clock, signal))),
  );
  return signal.aborted ? [] : offers.filter((_, index) => helping[index] === true);
}

async function answers(host: string, clientFor: ClientFor, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const address = parseAddress(host);
  if (!address.ok) return false;
  const asking = new AbortController();
  const stop = (): void => asking.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const cancel = clock.after(PROBE_MS, stop);
  try {
    return (await clientFor(address.value.baseUrl).listModels(asking.signal)).ok;
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}
