import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cl100k } from '../../../test/support/ollama/cl100k';
import { OllamaServer } from '../../../test/support/ollama/ollamaServer';
import { o200k } from '../../../test/support/ollama/tokenizer';
import { MeteredTalk } from '../../../test/support/tokens/meteredTalk';
import { CHINESE, JAPANESE, projectText, RUSSIAN } from '../../../test/support/tokens/sampleTexts';
import { meterOfRequest, meterOfTranscript } from './contextMeter';

const MODEL = { name: 'm', capabilities: ['completion', 'tools', 'thinking'] };
const BOUND = 0.03;

/** A question, and what the two files hold that the model then reads: the first one is in the second request. */
interface Case {
  readonly name: string;
  readonly question: string;
  readonly first: string;
  readonly second: string;
}

const LATIN: readonly Case[] = [
  {
    name: 'code',
    question: 'Where is the reducer?',
    first: projectText('src/protocol/transcript.ts'),
    second: projectText('src/extension/storage/writing/writer.ts'),
  },
  {
    name: 'prose',
    question: 'How is the history stored?',
    first: projectText('docs/storage.md'),
    second: projectText('docs/architecture.md'),
  },
  {
    name: 'JSON',
    question: 'Which scripts are there?',
    first: projectText('package.json'),
    second: projectText('tsconfig.json'),
  },
];

const CHINESE_TALKS: readonly Case[] = [
  {
    name: 'Chinese, asked in Chinese',
    question: '请用中文说明历史记录是怎样保存的，并指出最重要的限制。',
    first: CHINESE,
    second: CHINESE.slice(300, 900),
  },
  {
    name: 'much Chinese, asked in English',
    question: 'How is the history stored?',
    first: CHINESE.repeat(3),
    second: projectText('docs/storage.md', 6_000),
  },
  {
    name: 'code with Chinese',
    question: 'Wo steht das?',
    first: projectText('src/webview/components/runLine.tsx') + CHINESE.slice(0, 500),
    second: projectText('scripts/bench.mjs') + CHINESE.slice(500),
  },
];

const OTHER_SCRIPTS: readonly Case[] = [
  { name: 'Russian', question: 'Почему сервер не отвечает?', first: RUSSIAN.repeat(4), second: RUSSIAN },
  { name: 'Japanese', question: '保存方法は？', first: JAPANESE.repeat(4), second: JAPANESE },
];

/** How far (share) the meter was off at each request of a conversation with tools, thinking and large results. */
async function errorsOf(server: OllamaServer, { question, first, second }: Case): Promise<readonly number[]> {
  const talk = new MeteredTalk(server);
  await talk.turn(
    question,
    { thinking: `I should read the file first, then answer. ${question}`, result: first },
    { thinking: 'Now the other one.', text: question, result: second },
    { text: `Here is what I found. ${question.repeat(4)}` },
  );
  await talk.turn(`And what else? ${question}`, { text: 'That is all.' });
  await talk.turn(`Thanks. ${first.slice(0, 800)}`, { text: 'You are welcome.' });
  return talk.metered.map(({ error }) => Math.abs(error));
}

describe.each([
  ['o200k', o200k],
  ['cl100k', cl100k],
] as const)('A meter, with the vocabulary %s', (vocabulary, tokenizer) => {
  let server: OllamaServer;

  beforeAll(async () => {
    server = await OllamaServer.start({ models: [MODEL], tokenizer });
  });

  afterAll(() => server.close());

  const modern = vocabulary === 'o200k';
  // Half of the older vocabulary's tokens: what it takes for other scripts cannot be known before it has counted some.
  const known = modern ? [...LATIN, ...CHINESE_TALKS] : LATIN;

  it.each(known)('matches what the server reports from the second request on: $name', async (talk) => {
    const errors = await errorsOf(server, talk);
    for (const error of errors.slice(1)) expect(error).toBeLessThanOrEqual(BOUND);
  });

  it.each(modern ? OTHER_SCRIPTS : [...CHINESE_TALKS, ...OTHER_SCRIPTS])(
    'has learnt what a script takes once the server has counted some of it: $name',
    async (talk) => {
      const errors = await errorsOf(server, talk);
      for (const error of errors.slice(3)) expect(error).toBeLessThanOrEqual(BOUND);
    },
  );
});

describe('What a meter shows', () => {
  let server: OllamaServer;
  let talk: MeteredTalk;

  beforeAll(async () => {
    server = await OllamaServer.start({ models: [MODEL] });
    talk = new MeteredTalk(server);
    await talk.turn('Read it.', { result: projectText('docs/storage.md', 8_000) }, { text: 'It is about the file.' });
  });

  afterAll(() => server.close());

  it('is the sum of its parts, of which the file that was read is the largest', () => {
    const { meter } = talk.metered[1]!;
    expect(meter.system + meter.files + meter.history).toBe(meter.tokens);
    expect(meter.files).toBeGreaterThan(meter.system);
    expect(meter.system).toBeGreaterThan(meter.history);
    expect(meter.reported).toBe(false);
  });

  it("is the server's own figure right after the answer", () => {
    const { usage } = talk.messages.at(-1)!;
    expect(talk.opened).toMatchObject({ tokens: usage!.promptTokens! + usage!.answerTokens!, reported: true });
    const { tokens, system, files, history } = talk.opened!;
    expect(system + files + history).toBe(tokens);
    expect(files).toBeGreaterThan(system);
  });

  it('is an estimate again once something was added', () => {
    const question = {
      role: 'user',
      status: 'done',
      createdAt: 0,
      parts: [{ type: 'text', text: 'And then?' }],
    } as const;
    const added = meterOfTranscript([...talk.messages, { ...question, seq: 99 }], {});
    expect(added).toMatchObject({ reported: false });
    expect(added!.tokens).toBeGreaterThan(talk.opened!.tokens);
  });

  it('is nothing as long as the server has counted nothing', () => {
    expect(meterOfTranscript(talk.messages.slice(0, 1), {})).toBeUndefined();
  });

  it('takes the smaller one of the window that was asked for and the one that the server gave', () => {
    const window = (windows: object): number | undefined => meterOfRequest([], talk.planned, windows).window;
    expect(window({ asked: 32_768, allocated: 4_096 })).toBe(4_096);
    expect(window({ asked: 32_768 })).toBe(32_768);
    expect(window({})).toBeUndefined();
  });

  it('follows when older messages are left out', () => {
    const { planned } = talk;
    const whole = meterOfRequest(talk.messages, planned, {}).tokens;
    const bare = meterOfRequest(talk.messages, { ...planned, history: planned.history.slice(0, 1) }, {}).tokens;
    expect(bare).toBeLessThanOrEqual(whole);
    expect(bare).toBeGreaterThan(0);
  });
});
