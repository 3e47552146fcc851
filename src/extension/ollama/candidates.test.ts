import { describe, expect, it } from 'vitest';
import { holdUntil } from '../../../test/support/ollama/chatStep';
import { isFor, never, unaborted, useClientBench } from '../../../test/support/ollama/clientBench';
import { ManualClock } from '../../../test/support/manualClock';
import type { ServerOffer } from '../../protocol/status';
import { probe, readGateway, serverCandidates } from './candidates';

const bench = useClientBench();

const procRoute = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t0010A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
eth0\t00000000\t011015AC\t0003\t0\t0\t0\t00000000\t0\t0\t0
`;
const ipRoute = `default via 172.21.16.1 dev eth0 proto kernel
172.21.16.0/20 dev eth0 proto kernel scope link src 172.21.30.7
`;

describe('the way out of a machine', () => {
  it.each([
    ['/proc/net/route', procRoute, '172.21.16.1'],
    ['ip route', ipRoute, '172.21.16.1'],
    ['a text with other line ends', ipRoute.replaceAll('\n', '\r\n'), '172.21.16.1'],
    ['a machine without a gateway', 'eth0\t00000000\t00000000\t0001\t0', undefined],
    ['an IPv6 gateway', 'default via fe80::1 dev eth0', undefined],
    ['an empty text', '', undefined],
    ['something else', 'command not found: ip', undefined],
  ])('is read from %s', (_, text, gateway) => {
    expect(readGateway(text)).toBe(gateway);
  });
});

describe('where a server may be', () => {
  const container = [
    { kind: 'host', host: 'host.docker.internal:11434', why: 'The computer that runs this container.' },
  ];

  it.each<[string | undefined, readonly unknown[]]>([
    ['wsl', [{ kind: 'host', host: '172.21.16.1:11434', why: 'Windows, as this WSL machine reaches it.' }]],
    ['dev-container', container],
    ['attached-container', container],
    ['codespaces', container],
    ['ssh-remote', [{ kind: 'forward', line: 'RemoteForward 11434 127.0.0.1:11434' }]],
    ['tunnel', []],
    [undefined, []],
  ])('in a window of kind %s', (remoteName, offers) => {
    expect(serverCandidates(remoteName, { routes: procRoute })).toEqual(offers);
  });

  it('is unknown in WSL without routes', () => {
    expect(serverCandidates('wsl', {})).toEqual([]);
  });
});

describe('what can be offered', () => {
  const forward: ServerOffer = { kind: 'forward', line: 'RemoteForward 11434 127.0.0.1:11434' };

  function hostOf(url: string): ServerOffer {
    return { kind: 'host', host: url.replace('http://', ''), why: 'Tried.' };
  }

  it('is what answers, and what cannot be tried', async () => {
    const offers = [hostOf('http://127.0.0.1:9'), forward, hostOf(bench.server.url), hostOf('not a host')];
    const clock = new ManualClock();
    const clientFor = (url: string): ReturnType<typeof bench.clientFor> => bench.clientFor(clock, {}, url);
    expect(await probe(offers, clientFor, clock, unaborted)).toEqual([forward, hostOf(bench.server.url)]);
    expect(clock.pending).toBe(0);
  });

  it('does not wait for a place that is silent', async () => {
    bench.server.disturb('/api/tags', holdUntil(never));
    const clock = new ManualClock();
    const answer = probe([hostOf(bench.server.url)], (url) => bench.clientFor(clock, {}, url), clock, unaborted);
    const request = await bench.server.nextRequest(isFor('/api/tags'));
    clock.advance(4_000);
    expect(await answer).toEqual([]);
    await request.closed;
  });

  it('is nothing when it is stopped', async () => {
    bench.server.disturb('/api/tags', holdUntil(never));
    const controller = new AbortController();
    const clock = new ManualClock();
    const answer = probe(
      [hostOf(bench.server.url), forward],
      (url) => bench.clientFor(clock, {}, url),
      clock,
      controller.signal,
    );
    const request = await bench.server.nextRequest(isFor('/api/tags'));
    controller.abort();
    expect(await answer).toEqual([]);
    await request.closed;
  });
});
