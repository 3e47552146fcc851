import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContextMeter } from '../../../protocol/status';
import { Gate } from '../../../../test/support/ollama/gate';
import { holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { ask, idle, MODEL, opened } from '../../../../test/support/windows/liveTalk';
import type { TestWindow } from '../../../../test/support/windows/openWindow';
import { OTHER_MODEL, SharedHistory } from '../../../../test/support/windows/sharedHistory';
import type { LiveConversation } from '../liveConversation';
import type { LiveServices } from '../liveServices';

const WINDOW = 131_072;

let history: SharedHistory;
let first: LiveConversation;

beforeEach(async () => {
  history = await SharedHistory.make();
  const window = await history.open();
  first = window.create();
  history.server.script(say('Ja, ', 'so ist es.'));
  await ask(first, 'Is it so? Answer in German.');
  await idle(first);
  await history.close(window);
});

afterEach(() => history.remove());

function shown(live: LiveConversation): ContextMeter {
  const { context } = live.status;
  if (context === undefined) throw new Error('no meter is shown');
  return context;
}

/** The conversation in another window, and that window. */
async function reopened(
  windowsOf?: LiveServices['windowsOf'],
): Promise<{ readonly window: TestWindow; readonly live: LiveConversation }> {
  const window = await history.open(windowsOf === undefined ? {} : { windowsOf });
  return { window, live: await opened(window.registry, first.id) };
}

describe('the meter of a conversation that is only opened', () => {
  it('shows what the server counted for the last answer, in the window that is known', async () => {
    const { live } = await reopened((model) => (model === MODEL ? { asked: WINDOW, trained: 262_144 } : {}));
    const { promptTokens = 0, answerTokens = 0 } = first.transcript.messages.at(-1)?.usage ?? {};
    expect(promptTokens).toBeGreaterThan(0);
    expect(shown(live)).toMatchObject({
      tokens: promptTokens + answerTokens,
      reported: true,
      window: WINDOW,
      trained: 262_144,
    });
    expect(shown(live).tokens).toBe(shown(first).tokens);
  });

  it('shows no window as long as none is known, and takes it when it is', async () => {
    let known: ReturnType<LiveServices['windowsOf']> = {};
    const { live, window } = await reopened(() => known);
    expect(shown(live)).not.toHaveProperty('window');
    expect(shown(live)).not.toHaveProperty('trained');
    const versions: number[] = [];
    live.listen({
      event: () => undefined,
      status: ({ version }) => versions.push(version),
      replaced: () => undefined,
    });
    window.registry.windowsChanged();
    expect(versions).toEqual([]);
    known = { asked: 8_192, trained: 8_192 };
    window.registry.windowsChanged();
    window.registry.windowsChanged();
    expect(versions).toHaveLength(1);
    expect(shown(live)).toMatchObject({ window: 8_192, trained: 8_192 });
  });

  it('is of the model that is chosen', async () => {
    const { live } = await reopened((model) => ({ asked: model === OTHER_MODEL ? 4_096 : WINDOW }));
    expect(shown(live).window).toBe(WINDOW);
    live.chooseModel(OTHER_MODEL);
    expect(shown(live).window).toBe(4_096);
  });

  it('grows with what the person writes, before the turn has measured it', async () => {
    const { live } = await reopened(() => ({ asked: WINDOW }));
    const before = shown(live).tokens;
    const meters: ContextMeter[] = [];
    live.listen({
      event: () => undefined,
      status: ({ context }) => {
        if (live.transcript.messages.length > 2 && context !== undefined) meters.push(context);
      },
      replaced: () => undefined,
    });
    const release = new Gate();
    history.server.script(holdUntil(release.opened), say('Yes.'));
    await ask(live, 'And in English? '.repeat(20));
    expect(meters[0]?.tokens).toBeGreaterThan(before + 40);
    expect(meters[0]).toMatchObject({ reported: false, window: WINDOW });
    release.open();
    await idle(live);
    const { promptTokens = 0, answerTokens = 0 } = live.transcript.messages.at(-1)?.usage ?? {};
    expect(shown(live)).toMatchObject({ tokens: promptTokens + answerTokens, reported: true });
  });

  it('is read anew with a conversation that went on in another window', async () => {
    const { live } = await reopened();
    const { live: other } = await reopened();
    const before = shown(live).tokens;
    history.server.script(say('A much longer answer, of more than a few words.'));
    await ask(other, 'Go on');
    await idle(other);
    await expect.poll(() => live.transcript.messages.length).toBe(4);
    await expect.poll(() => shown(live).tokens).toBe(shown(other).tokens);
    expect(shown(live).tokens).toBeGreaterThan(before);
  });

  it('is nothing in a conversation that has none of the figures', async () => {
    const window = await history.open();
    expect(window.create().status).not.toHaveProperty('context');
  });
});
