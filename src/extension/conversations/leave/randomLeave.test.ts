import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callTool, say, type ChatStep } from '../../../../test/support/ollama/chatStep';
import { TestFolder } from '../../../../test/support/agent/testTools';
import { calls, MODEL, until } from '../../../../test/support/windows/liveTalk';
import { hastyClock } from '../../../../test/support/windows/hastyClock';
import type { TestWindow } from '../../../../test/support/windows/openWindow';
import { OTHER_MODEL, SharedHistory } from '../../../../test/support/windows/sharedHistory';
import type { ApprovalAnswer, ApprovalRequest } from '../../../protocol/approval';
import type { ClientId } from '../../../protocol/ids';
import type { LiveConversation } from '../liveConversation';
import type { ClaimedWork } from '../turns/claimedWork';

const STEPS = [
  'allow',
  'allow twice',
  'allow in both',
  'deny',
  'write',
  'queue',
  'move',
  'unqueue',
  'stop',
  'compact',
  'undo',
  'mode',
  'model',
  'take over',
  'close',
  'kill',
] as const;
type Step = (typeof STEPS)[number];

/** A person with a window, and another window beside it. */
interface Seat {
  readonly window: TestWindow;
  readonly live: LiveConversation;
}

/** One conversation in two windows, whose model runs a new command again and again. */
class RandomLeave {
  readonly folder = new TestFolder();
  /** Commands that a person allowed, as far as a window took the answer. */
  readonly allowed = new Set<string>();
  readonly #history: SharedHistory;
  #here: Seat;
  #there: Seat;

  private constructor(history: SharedHistory, folder: TestFolder, here: Seat, there: Seat) {
    this.#history = history;
    this.folder = folder;
    this.#here = here;
    this.#there = there;
  }

  static async make(): Promise<RandomLeave> {
    let answers = 0;
    const command = (): ChatStep => callTool('run_command', { command: `command ${(answers += 1)}` });
    const history = await SharedHistory.make({
      fallback: () => ((answers += 1) % 4 === 0 ? say('Done.') : [command(), command()]),
    });
    const folder = new TestFolder();
    const open = (): Promise<TestWindow> => history.open({ tools: [folder.runCommand], watchClock: hastyClock });
    const window = await open();
    const live = window.create();
    live.store();
    const other = await open();
    await expect.poll(() => history.sql('SELECT 1 FROM conversation')).toHaveLength(1);
    return new RandomLeave(history, folder, { window, live }, { window: other, live: await other.see(live) });
  }

  async step(step: Step): Promise<void> {
    const { live } = this.#here;
    switch (step) {
      case 'allow':
        await this.#answer([live], { kind: 'allow' });
        break;
      case 'allow twice':
        await this.#answer([live, live], { kind: 'allow' });
        break;
      case 'allow in both':
        await this.#answer([live, this.#there.live], { kind: 'allow' });
        break;
      case 'deny':
        await this.#answer([live], { kind: 'deny' });
        break;
      case 'write':
        if (live.status.run.kind === 'idle') await live.send(randomUUID() as ClientId, 'Go on.', MODEL);
        break;
      case 'queue':
        if (live.status.run.kind !== 'idle') await live.send(randomUUID() as ClientId, 'And then?', MODEL);
        break;
      case 'move': {
        const [first, second] = live.status.queue;
        if (first !== undefined && second !== undefined) live.moveQueued(second.clientId, first.clientId);
        break;
      }
      case 'unqueue': {
        const last = live.status.queue.at(-1);
        if (last !== undefined) live.unqueue(last.clientId);
        break;
      }
      case 'stop':
        live.stop();
        break;
      case 'compact':
        await live.compact(MODEL);
        break;
      case 'undo':
        await live.workClaimed(undoFirstCall);
        break;
      case 'mode':
        live.setMode(live.status.mode === 'ask' ? 'auto_edit' : 'ask');
        break;
      case 'model':
        live.chooseModel(live.transcript.conversation.model === MODEL ? OTHER_MODEL : MODEL);
        break;
      case 'take over':
        await this.#there.live.continueHere();
        [this.#here, this.#there] = [this.#there, this.#here];
        break;
      case 'close':
        await this.#history.close(this.#here.window);
        await this.#openHere();
        break;
      case 'kill':
        await this.#history.kill(this.#here.window);
        await this.#openHere();
        break;
    }
    await this.#settle();
  }

  /** What the windows show, and what one that knows nothing but the file does. */
  async shown(): Promise<{ readonly live: unknown; readonly stored: unknown }> {
    const { live } = this.#here;
    return { live: shown(live), stored: shown(await this.#history.reopened(live)) };
  }

  async end(): Promise<void> {
    await this.#history.remove();
  }

  /** The commands that were run, in order. */
  get ran(): readonly string[] {
    return this.folder.done.map((line) => line.replace(/^run /, ''));
  }

  async #openHere(): Promise<void> {
    const window = await this.#history.open({ tools: [this.folder.runCommand], watchClock: hastyClock });
    this.#here = { window, live: await window.see(this.#here.live) };
  }

  /** All of them answer what waits in the first one, at once. One of them is heard, at most. */
  async #answer(lives: readonly LiveConversation[], answer: ApprovalAnswer): Promise<void> {
    const request = waitingIn(this.#here.live);
    if (request?.subject.kind !== 'command') return;
    const { command } = request.subject;
    // A window may not have heard yet that the other one's answer was taken: a later one that is refused changes nothing.
    const known = this.allowed.has(command);
    if (answer.kind === 'allow') this.allowed.add(command);
    const replies = await Promise.all(lives.map((live) => live.answer(request.id, answer)));
    const taken = replies.filter(({ ok }) => ok).length;
    expect(taken).toBeLessThanOrEqual(1);
    if (taken === 0 && !known) this.allowed.delete(command);
    await Promise.all(lives.map((live) => settled(live, request.id)));
  }

  /** Until nothing goes on by itself, and the window beside shows what this one does. */
  async #settle(): Promise<void> {
    const [here, there] = [this.#here.live, this.#there.live];
    // Twice: where a turn ends well, the next message of the queue begins another one at once.
    for (let times = 0; times < 2; times += 1) await Promise.all([settled(here), settled(there)]);
    // Either of them may be the one that reads along.
    await expect.poll(() => isDeepStrictEqual(shown(there), shown(here)), { interval: 5 }).toBe(true);
  }
}

/** All that a window shows of a conversation, whoever runs it. */
function shown({ transcript, storedMode, status }: LiveConversation): unknown {
  return { ...transcript, storedMode, queue: status.queue };
}

/** Marks the change of the first call as taken back, as undo does, or as made again. */
const undoFirstCall: ClaimedWork = (conversation) => {
  for (const { seq, parts } of conversation.transcript.messages)
    for (const [idx, part] of parts.entries()) {
      if (part.type !== 'tool') continue;
      const change = { path: 'a.ts', kind: 'changed', added: 1, removed: 0, hunks: [], hunksLeftOut: 0 } as const;
      const undone = part.change?.undone === true ? change : { ...change, undone: true as const };
      conversation.record({ type: 'part_set', seq, idx, part: { ...part, change: undone } });
      return Promise.resolve({ ok: true });
    }
  return Promise.resolve({ ok: true });
};

function waitingIn(live: LiveConversation): ApprovalRequest | undefined {
  return calls(live).find(({ state }) => state === 'awaiting_approval')?.approval;
}

/** Resolves when nothing goes on in a conversation but that a call waits, another one than `answered`. */
function settled(live: LiveConversation, answered?: string): Promise<void> {
  return until(live, () => {
    const { kind } = live.status.run;
    return kind === 'idle' || (kind === 'awaiting_approval' && waitingIn(live)?.id !== answered);
  });
}

describe('whatever people and windows do with calls that wait', () => {
  it(
    'no command is run that nobody allowed, none is run twice, and both windows show what the file holds',
    { timeout: 120_000 },
    async () => {
      const steps = fc.array(fc.constantFrom(...STEPS, 'allow', 'allow', 'write', 'write'), {
        minLength: 6,
        maxLength: 14,
      });
      await fc.assert(
        fc.asyncProperty(steps, async (drawn) => {
          const run = await RandomLeave.make();
          try {
            for (const step of ['write', 'allow', ...drawn] as const) {
              await run.step(step);
              expect(run.ran.filter((command) => !run.allowed.has(command))).toEqual([]);
              expect(new Set(run.ran).size).toBe(run.ran.length);
            }
            expect(run.ran).not.toEqual([]);
            const { live, stored } = await run.shown();
            expect(stored).toEqual(live);
          } finally {
            await run.end();
          }
        }),
        { numRuns: 8, endOnFailure: true },
      );
    },
  );
});
