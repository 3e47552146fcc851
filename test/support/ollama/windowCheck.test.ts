import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say } from './chatStep';
import type { JsonObject } from './goJson';
import { OllamaServer } from './ollamaServer';
import { rawChat } from './rawClient';

let server: OllamaServer;

beforeEach(async () => {
  server = await OllamaServer.start({ models: ['llama3.2'], fallback: () => say('I saw it.') });
});

afterEach(() => server.close());

const long = { role: 'user', content: 'word '.repeat(40_000) };
const short = { role: 'user', content: 'Hi' };

async function answer(version: string, messages: readonly JsonObject[], flags: JsonObject): Promise<string> {
  server.version = version;
  const { status, text } = await rawChat(server.url, { messages, ...flags });
  return status === 200 ? 'answered' : `${status} ${(JSON.parse(text) as { error: string }).error}`;
}

describe('a prompt that is longer than the window', () => {
  const whole = { truncate: false, shift: false };
  const runner = /^400 \{"error":\{"code":400,"message":"request \(\d+ tokens\) exceeds the available context size/;

  it.each<[string, string, readonly JsonObject[], JsonObject, RegExp]>([
    ['is cut without a word', '0.32.15', [long], {}, /^answered$/],
    ['is refused by the program that runs the model', '0.32.15', [long], whole, runner],
    ['is refused whichever message it is', '0.30.0', [long, short], whole, runner],
    ['was refused in other words', '0.29.9', [long, short], whole, /^400 the input length exceeds the context length$/],
    ['was cut before anybody could say otherwise', '0.12.5', [long], whole, /^answered$/],
    ['is refused when its last message is too long', '0.32.15', [long], { shift: false }, /^400 the prompt is longer/],
    ['is cut when its last message is not', '0.32.15', [long, short], { shift: false }, /^answered$/],
  ])('%s, on %s', async (_, version, messages, flags, expected) => {
    expect(await answer(version, messages, flags)).toMatch(expected);
  });

  it('is answered when it fits, whatever the flags', async () => {
    expect(await answer('0.32.15', [short], whole)).toBe('answered');
  });
});

describe('an answer that fills the window', () => {
  const pieces = Array.from({ length: 2_000 }, () => 'word '.repeat(10));

  it('goes on when old context may be given up for it', async () => {
    server.script(say(...pieces));
    const { text } = await rawChat(server.url);
    expect(text.split('\n')).toHaveLength(2_002);
    expect(text).toContain('"done_reason":"stop"');
  });

  it('ends there when nothing may', async () => {
    server.script(say(...pieces));
    const { text } = await rawChat(server.url, { shift: false });
    const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as Record<string, number | string>;
    expect(last).toMatchObject({ done: true, done_reason: 'length' });
    expect(Number(last['prompt_eval_count']) + Number(last['eval_count'])).toBeGreaterThanOrEqual(4096);
    expect(text.split('\n').length).toBeLessThan(2_000);
  });
});
