import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../protocol/ids';
import type { MessageEnd } from '../../../protocol/message';
import type { Part } from '../../../protocol/part';
import { fold, messageAt, type Transcript } from '../../../protocol/transcript';
import { silentLog } from '../../base/log';
import type { Change } from '../../storage/change';
import { Store } from '../../storage/store';
import { Follower } from './follower';

let folder: string;
let stores: Store[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-follower-'));
  stores = [];
});

afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function openStore(): Promise<Store> {
  const store = new Store(folder, 'this-machine', silentLog);
  stores.push(store);
  await store.start();
  return store;
}

/** One with nothing but what it must have, and one with all that it can have. */
const ENDS: readonly [MessageEnd, MessageEnd] = [
  { status: 'done', endedAt: 9 },
  {
    status: 'error',
    reason: 'server_error',
    detail: 'its words',
    usage: { promptTokens: 40, answerTokens: 7, answerMs: 1_200, estimatedTokens: 38 },
    notes: ['without_tools', 'prompt_cut'],
    endedAt: 9,
  },
];

/** What the window that writes does next. */
type Step = 'question' | 'text' | 'thinking' | 'delta' | 'tool' | 'tool done' | 'end' | 'title' | 'look';

/** Writes as a turn does: parts in order, streamed text in chunks, a part that stops growing whole. */
class Writing {
  readonly #write: (change: Change) => void;
  #seq = 0;
  #parts: Part[] | undefined;
  #chunk = 0;

  constructor(write: (change: Change) => void) {
    this.#write = write;
  }

  take(step: Exclude<Step, 'look'>): void {
    if (step === 'title') {
      this.#write({ type: 'conversation_changed', title: `Title ${this.#seq}.${this.#parts?.length ?? 0}` });
      return;
    }
    if (step === 'question') {
      if (this.#parts !== undefined) return;
      this.#seq += 1;
      const words = [{ type: 'text', text: 'x' }] as const;
      const message = { seq: this.#seq, role: 'user', status: 'done', createdAt: 1, parts: words } as const;
      this.#write({ type: 'message_added', message });
      return;
    }
    const parts = this.#open();
    const last = parts.at(-1);
    if (step === 'delta') {
      if (last?.type !== 'text' && last?.type !== 'thinking') return;
      const text = ` ${this.#chunk}é🏷`;
      const place = { seq: this.#seq, idx: parts.length - 1 };
      this.#write({ type: 'delta', ...place, chunk: this.#chunk, at: last.text.length, text });
      parts[parts.length - 1] = { ...last, text: last.text + text };
      this.#chunk += 1;
      return;
    }
    if (step === 'tool done') {
      if (last?.type === 'tool') this.#set(parts.length - 1, { ...last, state: 'done', result: { content: 'r' } });
      return;
    }
    if (last !== undefined && last.type !== 'tool') this.#set(parts.length - 1, last);
    if (step === 'end') {
      this.#write({ type: 'message_ended', seq: this.#seq, end: ENDS[this.#seq % ENDS.length] ?? ENDS[0] });
      this.#parts = undefined;
    } else if (step === 'tool') this.#add({ type: 'tool', name: 't', arguments: {}, state: 'running' });
    else this.#add(step === 'text' ? { type: 'text', text: '' } : { type: 'thinking', text: '', startedAt: 1 });
  }

  #open(): Part[] {
    if (this.#parts !== undefined) return this.#parts;
    this.#seq += 1;
    const message = { seq: this.#seq, role: 'assistant', status: 'streaming', createdAt: 1, parts: [] } as const;
    this.#write({ type: 'message_added', message });
    this.#parts = [];
    return this.#parts;
  }

  #add(part: Part): void {
    this.#chunk = 0;
    this.#set(this.#open().length, part);
  }

  #set(idx: number, part: Part): void {
    this.#open()[idx] = part;
    this.#write({ type: 'part_set', seq: this.#seq, idx, part });
  }
}

const steps = fc.array(
  fc.constantFrom<Step>(
    'question',
    'text',
    'thinking',
    'delta',
    'delta',
    'delta',
    'tool',
    'tool done',
    'end',
    'title',
    'look',
    'look',
  ),
  { minLength: 1, maxLength: 60 },
);

describe('following a conversation through its file', () => {
  it('gives at every look what reading it anew would give', async () => {
    const [writer, reader] = [await openStore(), await openStore()];
    await reader.feed.poll();
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const id = ulid() as ConversationId;
        const write = (change: Change) => writer.write({ conversationId: id, at: 1, change });
        const conversation = { id, kind: 'chat', title: '', createdAt: 1 } as const;
        await write({ type: 'conversation_created', conversation, workspace: { key: 'k', name: 'n' } });
        const writing = new Writing((change) => void write(change));
        const start = await reader.reader.readConversation(id);
        if (start === undefined) throw new Error('not stored');
        const follower = new Follower(reader.reader, id, start.growing);
        let seen: Transcript = { conversation: start.conversation, ...start.page };
        for (const step of [...taken, 'look' as const]) {
          if (step !== 'look') {
            writing.take(step);
            continue;
          }
          await write({ type: 'draft_set', text: 'settled', at: 1 });
          const batch = await reader.feed.poll();
          if (batch.kind === 'missed') throw new Error('missed');
          const changes = batch.kind === 'same' ? [] : batch.changes.filter((change) => change.conversationId === id);
          for (const event of await follower.catchUp(seen, changes)) {
            const folded = fold(seen, event);
            if (!folded.ok) throw new Error(`a gap at ${event.type}`);
            seen = folded.transcript;
          }
          const stored = await reader.reader.readConversation(id);
          expect(seen).toEqual({ conversation: stored?.conversation, ...stored?.page });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('reads again what could not be read the first time', async () => {
    const [writer, reader] = [await openStore(), await openStore()];
    const id = ulid() as ConversationId;
    const conversation = { id, kind: 'chat', title: '', createdAt: 1 } as const;
    const workspace = { key: 'k', name: 'n' };
    await writer.write({
      conversationId: id,
      at: 1,
      change: { type: 'conversation_created', conversation, workspace },
    });
    const start: Transcript = { conversation, messages: [], hasOlder: false };
    let fails = true;
    const failing = {
      readUpdate: (...args: Parameters<typeof reader.reader.readUpdate>) =>
        fails ? Promise.reject(new Error('away')) : reader.reader.readUpdate(...args),
    } as typeof reader.reader;
    const follower = new Follower(failing, id, undefined);
    const message = {
      seq: 1,
      role: 'user',
      status: 'done',
      createdAt: 1,
      parts: [{ type: 'text', text: 'x' }],
    } as const;
    await writer.write({ conversationId: id, at: 1, change: { type: 'message_added', message } });
    await expect(follower.catchUp(start, [{ conversationId: id, kind: 'message', seq: 1 }])).rejects.toThrow('away');
    fails = false;
    const events = await follower.catchUp(start, []);
    expect(events).toEqual([{ type: 'message_added', message }]);
    expect(messageAt(start.messages, 1)).toBeUndefined();
  });
});
