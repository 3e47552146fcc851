import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { vi } from 'vitest';
import type { LiveConversation } from '../../../src/extension/conversations/liveConversation';
import type { Change } from '../../../src/extension/storage/change';
import type { ApprovalRequest, Mode } from '../../../src/protocol/approval';
import type { ClientId } from '../../../src/protocol/ids';
import type { Part } from '../../../src/protocol/part';
import { messageAt } from '../../../src/protocol/transcript';
import type { Reply } from '../../../src/protocol/wire';
import { TestFolder } from '../agent/testTools';
import { UndoFolder } from '../agent/undoFolder';
import { callTool, cutOff, say, think, type ChatStep } from '../ollama/chatStep';
import { FailingStatements } from '../storage/failingStatements';
import { calls, MODEL, until } from './liveTalk';
import { TestWindow } from './openWindow';
import { SharedHistory } from './sharedHistory';

/** What a person reads never looks like this. */
const RAW = /SQLITE_|constraint failed|malformed|no such/;
const MODES: readonly Mode[] = ['ask', 'auto_edit', 'bypass'];

/** What the model answers, one after the other. */
const ANSWERS: readonly ((n: number) => readonly ChatStep[])[] = [
  (n) => [...think('Hm. '), ...say('I ', 'write.'), callTool('write_file', { path: 'a.ts', content: `a ${n}` })],
  (n) => say(`Answer ${n}: `, 'done.'),
  (n) => [
    callTool('run_command', { command: `make ${n}` }),
    callTool('write_file', { path: 'b.ts', content: `b ${n}` }),
  ],
  (n) => [...think('Well, ', 'well.'), ...say(`Answer ${n}.`)],
  (n) => [callTool('list_files', { path: '.', note: `${n}` })],
  () => [...say('Half ', 'of an'), cutOff()],
];

/** One thing that a person does with a conversation. `pick`: which of those that there are. */
export const USES = {
  send: (use: FailingUse) => use.send(),
  allow: (use: FailingUse) => use.answer({ kind: 'allow' }),
  deny: (use: FailingUse) => use.answer({ kind: 'deny', words: 'Not now.' }),
  stop: (use: FailingUse) => use.live.stop(),
  mode: (use: FailingUse, pick: number) => use.reads(use.live.setMode(MODES[pick % MODES.length] ?? 'ask')),
  undo: (use: FailingUse) => use.later(use.undo.undo(use.live, use.window.store, 'undo')),
  redo: (use: FailingUse) => use.later(use.undo.undo(use.live, use.window.store, 'redo', 2)),
  retry: (use: FailingUse) => use.later(use.live.retry(MODEL)),
  compact: (use: FailingUse) => use.later(use.live.compact(MODEL)),
  unqueue: (use: FailingUse, pick: number) => use.withQueued(pick, (id) => use.reads(use.live.unqueue(id))),
  move: (use: FailingUse, pick: number) => use.withQueued(pick, (id) => use.reads(use.live.moveQueued(id, undefined))),
  draft: (use: FailingUse, pick: number) => use.live.setDraft({ text: `Draft ${pick}`, at: pick }),
  rest: (use: FailingUse) => use.rests(),
} as const;

/** One person with one conversation, in one window after the other, on a file that fails now and then. */
export class FailingUse {
  /** What did not hold. */
  readonly faults: string[] = [];
  readonly undo: UndoFolder;
  readonly #history: SharedHistory;
  readonly #folder: TestFolder;
  readonly #failing: FailingStatements;
  /** What the file has taken: of each part the newest, by its place; and messages. */
  readonly #taken = new Map<string, Part | true>();
  readonly #waiting = new Set<Change>();
  readonly #replies: Promise<unknown>[] = [];
  #window: TestWindow;
  #live: LiveConversation;

  private constructor(history: SharedHistory, folder: TestFolder, window: TestWindow) {
    this.#history = history;
    this.#folder = folder;
    this.undo = new UndoFolder(folder);
    this.#failing = new FailingStatements(history.folder);
    this.#window = window;
    this.#live = window.create();
    this.#watch();
    folder.pause = (what) => Promise.resolve(this.#begins(what));
  }

  static async make(): Promise<FailingUse> {
    let answers = 0;
    const folder = new TestFolder();
    const history = await SharedHistory.make({
      fallback: ({ tools }) => {
        if (tools === undefined) return say('A summary.');
        answers += 1;
        return ANSWERS[answers % ANSWERS.length]?.(answers) ?? [];
      },
    });
    return new FailingUse(history, folder, await history.open({ tools: [folder.writeFile, folder.runCommand] }));
  }

  get window(): TestWindow {
    return this.#window;
  }

  get live(): LiveConversation {
    return this.#live;
  }

  /** Every write fails with the code from now on. */
  fail(code: string): void {
    this.#failing.fail(code);
  }

  /** The file can be written again. */
  work(): void {
    this.#failing.work();
    this.#window.store.retryNow();
  }

  send(): void {
    const id = randomUUID() as ClientId;
    this.later(this.#live.send(id, `Question ${id}`, MODEL));
  }

  answer(answer: Parameters<LiveConversation['answer']>[1]): void {
    const request = this.#request();
    if (request !== undefined) this.later(this.#live.answer(request.id, answer));
  }

  withQueued(pick: number, then: (id: ClientId) => void): void {
    const { queue } = this.#live.status;
    const message = queue[pick % Math.max(1, queue.length)];
    if (message !== undefined) then(message.clientId);
  }

  /** The person reads it when it comes. */
  later(reply: Promise<Reply>): void {
    this.#replies.push(reply.then((each) => this.reads(each)));
  }

  reads(reply: Reply): void {
    if (!reply.ok && RAW.test(reply.message)) this.faults.push(`a raw error: ${reply.message}`);
  }

  /** Resolves when nothing goes on but that a call waits. */
  async rests(): Promise<void> {
    await until(this.#live, () => ['idle', 'awaiting_approval'].includes(this.#live.status.run.kind));
  }

  /** Closes the window, if what waits can be written, and goes on in another one. */
  async reload(): Promise<void> {
    if (this.#failing.isFailing || !this.#taken.has('conversation')) return;
    await this.#history.close(this.#window);
    await Promise.all(this.#replies);
    this.#window = await this.#history.open({ tools: [this.#folder.writeFile, this.#folder.runCommand] });
    this.#live = await this.#window.see(this.#live);
    this.#watch();
  }

  /** What does not hold at any time. */
  look(): void {
    const { save } = this.#live.status;
    const { failure } = this.#window.store;
    if ('why' in save && RAW.test(save.why)) this.faults.push(`a raw error: ${save.why}`);
    if (failure !== undefined && this.#waiting.size > 0 && save.kind !== 'unsaved')
      this.faults.push(`${save.kind}, though nothing can be written`);
    if (save.kind === 'saved' && this.#waiting.size > 0) this.faults.push('saved, though something waits');
  }

  /** What a window would find if this one were killed now. All that the file took must be there. */
  async lookAfterKill(): Promise<void> {
    if (!this.#taken.has('conversation')) return;
    const taken = new Map(this.#taken);
    const copy = await mkdtemp(join(tmpdir(), 'holdfast-copy-'));
    await this.#history.sql(`VACUUM INTO '${join(copy, 'holdfast.db')}'`);
    const window = await TestWindow.open(copy, {});
    const { transcript } = await window.see(this.#live);
    for (const [place, part] of taken) {
      const [seq, idx] = place.split(':').map(Number);
      if (seq === undefined || Number.isNaN(seq)) continue;
      const message = messageAt(transcript.messages, seq);
      if (message === undefined) this.faults.push(`message ${place} is lost`);
      else if (idx !== undefined && part !== true && !isSameOrLater(message.parts[idx], part))
        this.faults.push(`part ${place} is ${JSON.stringify(message.parts[idx])} in place of ${JSON.stringify(part)}`);
    }
    if (transcript.messages.slice(0, -1).some(({ status }) => status === 'streaming'))
      this.faults.push('a message is open that is not the last');
    await window.close();
    await rm(copy, { recursive: true });
  }

  /** Ends everything, and compares memory, file and a window that knows nothing but the file. */
  async end(): Promise<void> {
    this.work();
    const isOver = (): boolean => {
      const { run, save } = this.#live.status;
      // What waits in the queue may begin after what is stopped.
      if (run.kind !== 'idle' && run.kind !== 'stopping') this.#live.stop();
      return run.kind === 'idle' && save.kind !== 'saving' && save.kind !== 'unsaved';
    };
    // That the last write was taken is told to nobody.
    await vi.waitUntil(isOver, { timeout: 10_000, interval: 5 });
    await Promise.all(this.#replies);
    this.look();
    await this.#history.close(this.#window);
    const fresh = await this.#history.reopened(this.#live);
    this.#same('conversation', fresh.transcript.conversation, this.#live.transcript.conversation);
    const length = Math.max(fresh.transcript.messages.length, this.#live.transcript.messages.length);
    for (let at = 0; at < length; at += 1)
      this.#same(`message ${at + 1}`, fresh.transcript.messages[at], this.#live.transcript.messages[at]);
    this.#same('queue', fresh.status.queue, this.#live.status.queue);
    this.#same('mode', fresh.storedMode, this.#live.storedMode);
    this.#same('draft', fresh.draft?.text, this.#live.draft?.text);
    if (this.#window.rescued.length > 0) this.faults.push('it was forked, though nobody else used it');
  }

  async dispose(): Promise<void> {
    this.#failing.dispose();
    await this.#history.remove();
  }

  #same(what: string, inFile: unknown, inMemory: unknown): void {
    if (!isDeepStrictEqual(inFile, inMemory))
      this.faults.push(`${what}: the file has ${JSON.stringify(inFile)}, memory ${JSON.stringify(inMemory)}`);
  }

  #watch(): void {
    const { store } = this.#window;
    const write = store.write.bind(store);
    store.write = (command) => {
      const { change } = command;
      this.#waiting.add(change);
      const written = write(command);
      void written.then((outcome) => {
        this.#waiting.delete(change);
        if (outcome === 'written') this.#took(change);
        else this.faults.push(`${outcome}: ${change.type}`);
      });
      return written;
    };
  }

  #took(change: Change): void {
    this.#taken.set('conversation', true);
    if (change.type === 'message_added') {
      this.#taken.set(`${change.message.seq}`, true);
      for (const [idx, part] of change.message.parts.entries()) this.#taken.set(`${change.message.seq}:${idx}`, part);
    }
    if (change.type === 'part_set') this.#taken.set(`${change.seq}:${change.idx}`, change.part);
  }

  /** A tool with effects begins, or undo: nobody is passed over while that cannot be written down. */
  #begins(what: string): void {
    const call = calls(this.#live).find(({ state, effects }) => state === 'running' && effects === true);
    if (this.#live.status.save.kind === 'unsaved' && call?.answer === undefined)
      this.faults.push(`${what}: nobody was asked, though it cannot be written down`);
  }

  #request(): ApprovalRequest | undefined {
    return calls(this.#live).findLast(({ state }) => state === 'awaiting_approval')?.approval;
  }
}

/** What came after it may be there, too: only a call can become something else. */
function isSameOrLater(found: Part | undefined, taken: Part): boolean {
  if (found === undefined || taken.type === 'tool') return found?.type === taken.type;
  if (taken.type === 'text' && found.type === 'text') return found.text.startsWith(taken.text);
  return found.type === taken.type || taken.type === 'text';
}
