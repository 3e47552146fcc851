import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { runInChild } from '../children';
import type { Bench, BenchRow, Measured } from '../row';
import { medianOfRuns, rounded } from '../statistics';

const TOKENS_PER_SECOND = 100;
/** The bare client needs less time to be measured. */
const BARE_SHARE = 1 / 3;

/** What a streamed token costs the process that all extensions share: nothing of it may be felt while typing. */
export const tokenCpu: BenchRow = {
  id: 'token-cpu',
  what: `processor time per token of a reply at ${TOKENS_PER_SECOND} tokens/s, view and file together`,
  unit: 'ms',
  goal: { kind: 'at-most', value: 0.15 },
  measure: (bench) => medianOfRuns(bench.size.runs, () => measureOnce(bench)),
};

async function measureOnce({ size, files }: Bench): Promise<Measured> {
  const port = await freePort();
  const tokens = Math.round(size.streamSeconds * TOKENS_PER_SECOND);
  const replies = [tokens, Math.ceil(tokens * BARE_SHARE)];
  const [found] = await Promise.all([
    runInChild('streamToView', { folder: await files.newFolder(), serverUrl: `http://127.0.0.1:${port}` }),
    runInChild('servePieces', { port, replies, tokensPerSecond: TOKENS_PER_SECOND }),
  ]);
  if (found.tokens !== tokens) throw new Error(`${found.tokens} tokens of ${tokens} arrived`);
  const perToken = found.cpuMs / found.tokens;
  const barePerToken = found.bareCpuMs / found.bareTokens;
  return {
    value: rounded(perToken),
    note: `bare client ${barePerToken.toFixed(3)} ms, JSON alone ${found.jsonMsPerToken.toFixed(4)} ms`,
    detail: {
      ...found,
      barePerToken: rounded(barePerToken),
      timesBareClient: rounded(perToken / barePerToken),
      timesJson: rounded(perToken / found.jsonMsPerToken),
      tokensPerSecond: TOKENS_PER_SECOND,
    },
  };
}

/** A port that nobody listened on a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
