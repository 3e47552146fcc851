import { beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../protocol/approval';
import type { ConversationId } from '../../../protocol/ids';
import type { ToolPart } from '../../../protocol/part';
import type { ConversationStatus } from '../../../protocol/status';
import type { Transcript } from '../../../protocol/transcript';
import type { LiveListener } from '../liveTranscript';
import { WaitingCalls, type WaitingCall, type WaitingConversation } from './waiting';

function call(id: string, state: ToolPart['state'] = 'awaiting_approval'): ToolPart {
  const subject = { kind: 'command', command: id, folder: '.', shell: 'sh' } as const;
  const approval: ApprovalRequest = { id, askedAt: 1, subject, reasons: ['mode'], grants: [], digest: id };
  return { type: 'tool', name: 'run_command', arguments: {}, state, approval };
}

class Conversation implements WaitingConversation {
  readonly id: ConversationId;
  transcript: Transcript;
  status: Pick<ConversationStatus, 'owner' | 'run'> = {
    owner: 'here',
    run: { kind: 'awaiting_approval', startedAt: 1 },
  };
  readonly listeners = new Set<LiveListener>();

  constructor(id: string, ...parts: readonly ToolPart[]) {
    this.id = id as ConversationId;
    this.transcript = this.#with(parts);
  }

  listen(listener: LiveListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  set(...parts: readonly ToolPart[]): void {
    this.transcript = this.#with(parts);
    for (const listener of this.listeners) listener.event({ type: 'part_set', seq: 2, idx: 0, part: call('any') });
  }

  end(): void {
    this.status = { owner: 'none', run: { kind: 'idle' } };
    for (const listener of this.listeners) listener.replaced();
  }

  #with(parts: readonly ToolPart[]): Transcript {
    const conversation = { id: this.id, kind: 'chat', title: `Title of ${this.id}`, createdAt: 1 } as const;
    const message = { seq: 2, role: 'assistant', status: 'streaming', createdAt: 1, parts } as const;
    return { conversation, messages: [message], hasOlder: false };
  }
}

let told: { readonly all: readonly string[]; readonly fresh: readonly string[] }[];
let waiting: WaitingCalls;

const ids = (calls: readonly WaitingCall[]): readonly string[] => calls.map(({ request }) => request.id);

describe('calls that wait for leave', () => {
  beforeEach(() => {
    told = [];
    waiting = new WaitingCalls((all, fresh) => told.push({ all: ids(all), fresh: ids(fresh) }));
  });

  it('are counted over all conversations of the window, and each is new once', () => {
    const [shown, other] = [new Conversation('shown'), new Conversation('other')];
    waiting.show(shown);
    waiting.follow(other);
    shown.set(call('a'));
    other.set(call('b'));
    shown.set(call('a', 'done'), call('c'));
    other.set(call('b', 'denied'));
    expect(told).toEqual([
      { all: ['a'], fresh: ['a'] },
      { all: ['a', 'b'], fresh: ['b'] },
      { all: ['c', 'b'], fresh: ['c'] },
      { all: ['c'], fresh: [] },
    ]);
  });

  it('are there from the start in a conversation that was opened with them', () => {
    waiting.show(new Conversation('old', call('a')));
    expect(told).toEqual([{ all: ['a'], fresh: ['a'] }]);
  });

  it('are not told of again when the conversation is shown anew', () => {
    const one = new Conversation('one', call('a'));
    waiting.show(one);
    waiting.show(new Conversation('two'));
    waiting.show(one);
    expect(told).toEqual([{ all: ['a'], fresh: ['a'] }]);
  });

  it('are those of other windows in a conversation that runs there', () => {
    const elsewhere = new Conversation('elsewhere', call('a'));
    elsewhere.status = { owner: 'elsewhere', run: { kind: 'idle' } };
    waiting.show(elsewhere);
    expect(told).toEqual([]);
  });

  it('are looked for no longer where all is over and something else is shown, so that it can leave the memory', () => {
    const [shown, other] = [new Conversation('shown'), new Conversation('other')];
    waiting.show(other);
    waiting.show(shown);
    expect(other.listeners.size).toBe(1);
    other.end();
    expect(other.listeners.size).toBe(0);
    shown.end();
    expect(shown.listeners.size).toBe(1);
    waiting.dispose();
    expect(shown.listeners.size).toBe(0);
  });
});
