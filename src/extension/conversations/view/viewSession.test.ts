import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Frame } from '../../../protocol/frame';
import { applyFrame, askedAgain, waitingView, type ViewState } from '../../../protocol/hydration';
import type { HelloId } from '../../../protocol/ids';
import { ManualClock } from '../../../../test/support/manualClock';
import { holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import { OllamaServer } from '../../../../test/support/ollama/ollamaServer';
import { MODEL, ask, idle, opened, said, until } from '../../../../test/support/windows/liveTalk';
import { TestWindow, WORKSPACE } from '../../../../test/support/windows/openWindow';
import { silentLog } from '../../base/log';
import { OllamaClient } from '../../ollama/ollamaClient';
import type { LiveConversation } from '../liveConversation';
import { ViewSession } from './viewSession';
import { WindowFactsWatch } from '../facts/windowFacts';

let folder: string;
let server: OllamaServer;
let clock: ManualClock;
let window: TestWindow;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-view-'));
  server = await OllamaServer.start({ models: [MODEL] });
  clock = new ManualClock();
  window = new TestWindow(folder, { serverUrl: server.url, clock });
  expect(await window.store.start()).toBeUndefined();
});

afterEach(async () => {
  await window.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** What lies between a page and the host, in ms: each direction keeps its order. */
interface Distance {
  readonly toHost: number;
  readonly toPage: number;
}

/** A page and its session in the host, with a way between them that takes time. */
class Page {
  #hellos = 0;
  state: ViewState = waitingView(this.#hello());
  readonly #session: ViewSession;
  readonly #distance: Distance;

  constructor(live: LiveConversation, distance: Distance) {
    this.#distance = distance;
    const client = new OllamaClient(server.url, clock, silentLog);
    const facts = new WindowFactsWatch(
      {
        folder: () => undefined,
        remote: () => undefined,
        memory: () => 0,
        offers: () => Promise.resolve([]),
        useHost: () => Promise.resolve(),
        server: () => ({ host: server.host, client }),
        lastModel: () => MODEL,
        remember: () => undefined,
      },
      clock,
    );
    const port = { post: (frame: Frame) => void clock.after(distance.toPage, () => this.#receive(frame)) };
    this.#session = new ViewSession({ store: window.store, clock, facts }, port, live);
    this.#ready();
  }

  /** The page is destroyed and made anew: it remembers nothing. */
  reload(): void {
    this.#session.hidden();
    this.state = waitingView(this.#hello());
    this.#ready();
  }

  close(): void {
    this.#session.dispose();
  }

  #receive(frame: Frame): void {
    const applied = applyFrame(this.state, frame);
    this.state = applied.state;
    if (applied.ask === true) {
      this.state = askedAgain(this.state, this.#hello());
      this.#ready();
    }
    const { live } = this.state;
    if (live === undefined) return;
    const rendered = { stream: live.stream, n: live.have };
    clock.after(this.#distance.toHost, () => this.#session.rendered(rendered));
  }

  #ready(): void {
    const { hello } = this.state;
    clock.after(this.#distance.toHost, () => void this.#session.ready({ hello }));
  }

  #hello(): HelloId {
    this.#hellos += 1;
    return `hello ${this.#hellos}` as HelloId;
  }
}

/** Has the model say so many words, each when it is let. */
function scripted(count: number): { readonly words: readonly string[]; readonly gates: readonly Gate[] } {
  const words = Array.from({ length: count }, (_, index) => `word${index} `);
  const gates = words.map(() => new Gate());
  server.script(...words.flatMap((word, index) => [holdUntil(gates[index]!.opened), ...say(word)]));
  return { words, gates };
}

function lastText(live: LiveConversation): string {
  return said(live).at(-1) ?? '';
}

describe('a view', () => {
  // F02
  it.each([
    ['its snapshot', { toHost: 0, toPage: 2_000 }],
    ['its question', { toHost: 2_000, toPage: 0 }],
  ])('loses nothing of what arrives while %s is on the way for two seconds', async (_, distance) => {
    const live = window.registry.create(WORKSPACE, MODEL);
    const { words, gates } = scripted(21);
    await ask(live, 'Count');
    gates[0]!.open();
    await until(live, () => lastText(live).endsWith(words[0]!));
    const page = new Page(live, distance);
    for (const [index, word] of words.entries()) {
      gates[index]!.open();
      await until(live, () => lastText(live).endsWith(word));
      if (index > 0) clock.advance(100);
    }
    await idle(live);
    clock.advance(30_000);
    expect(lastText(live)).toBe(`assistant, done: ${words.join('')}`);
    expect(page.state.live?.transcript).toEqual(live.transcript);
    page.close();
  });

  // F01
  it('shows one answer, every word once, when it is loaded anew in the middle of it, and so does the file', async () => {
    const live = window.registry.create(WORKSPACE, MODEL);
    const { words, gates } = scripted(100);
    await ask(live, 'Count');
    const page = new Page(live, { toHost: 5, toPage: 5 });
    for (const [index, word] of words.entries()) {
      gates[index]!.open();
      await until(live, () => lastText(live).endsWith(word));
      clock.advance(20);
      if (index === 49) page.reload();
    }
    await idle(live);
    clock.advance(30_000);
    expect(page.state.live?.transcript).toEqual(live.transcript);
    page.close();
    await window.close();
    window = new TestWindow(folder, { clock });
    expect(said(await opened(window.registry, live.id))).toEqual([
      'user, done: Count',
      `assistant, done: ${words.join('')}`,
    ]);
  });
});
