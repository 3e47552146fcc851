import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { runInChild } from '../children';
import type { Bench, BenchRow, Measured } from '../row';
import { medianOfRuns, rounded } from '../statistics';

/**
 * Faster than models are: at their speed, most of the time is what the system takes to wake a process for each record,
 * whatever it does with it. That is in `detail` as `slow`.
 */
const TOKENS_PER_SECOND = 1_000;
const SLOW_TOKENS_PER_SECOND = 100;
/** Tokens for each second that other figures stream: some thousands in all. */
const TOKENS_PER_STREAM_SECOND = 200;
const SLOW_SHARE = 1 / 8;

/**
 * What view and file cost the process that all extensions share, for each streamed token: all that a window does with a
 * reply, less what the bare client of Ollama takes for the same stream. That depends on how the system wakes a process
 * for each record, and stands with the whole in `detail`.
 */
export const tokenCpu: BenchRow = {
  id: 'token-cpu',
  what: `processor time of view and file together per token of a reply at ${TOKENS_PER_SECOND} tokens/s, beside the bare client`,
  unit: 'ms',
  goal: { kind: 'at-most', value: 0.15 },
  measure: (bench) => medianOfRuns(bench.size.runs, () => measureOnce(bench)),
};

async function measureOnce({ size, files }: Bench): Promise<Measured> {
  const port = await freePort();
  const tokens = Math.round(size.streamSeconds * TOKENS_PER_STREAM_SECOND);
  const slow = { tokens: Math.ceil(tokens * SLOW_SHARE), tokensPerSecond: SLOW_TOKENS_PER_SECOND };
  const fast = { tokens, tokensPerSecond: TOKENS_PER_SECOND };
  const [found] = await Promise.all([
    runInChild('streamToView', { folder: await files.newFolder(), serverUrl: `http://127.0.0.1:${port}` }),
    // The slow one comes first: the process is as warm as that of an editor in use when the other one is measured.
    runInChild('servePieces', { port, replies: [slow, fast, fast] }),
  ]);
  const { first, second, bare, ...rest } = found;
  if (second.tokens !== tokens) throw new Error(`${second.tokens} tokens of ${tokens} arrived`);
  const perToken = second.cpuMs / second.tokens;
  const barePerToken = bare.cpuMs / bare.tokens;
  return {
    value: rounded(Math.max(0, perToken - barePerToken)),
    note: `with the client ${perToken.toFixed(2)} ms, ${(perToken / barePerToken).toFixed(2)} × the bare client of Ollama`,
    detail: {
      ...rest,
      tokens,
      tokensPerSecond: TOKENS_PER_SECOND,
      wholeMsPerToken: rounded(perToken),
      bareMsPerToken: rounded(barePerToken),
      timesBareClient: rounded(perToken / barePerToken),
      timesJson: rounded(perToken / found.jsonMsPerToken),
      slow: { ...slow, msPerToken: rounded(first.cpuMs / first.tokens) },
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
