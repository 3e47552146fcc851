import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TranscriptEvent } from '../../../protocol/event';
import type { Frame } from '../../../protocol/frame';
import { applyFrame, askedAgain, waitingView, type ViewState } from '../../../protocol/hydration';
import type { ConversationId, HelloId, StreamId } from '../../../protocol/ids';
import type { Part } from '../../../protocol/part';
import { fold, type Transcript } from '../../../protocol/transcript';
import { FRAME_MS } from '../../base/limits';
import { ManualClock } from '../../../../test/support/manualClock';
import { ViewFeed } from './viewFeed';

const STATUS = {
  version: 1,
  save: { kind: 'saved' },
  run: { kind: 'idle' },
  owner: 'none',
  mode: 'ask',
  queue: [],
} as const;
const FACTS = { version: 1, server: { kind: 'unknown', host: 'h' } } as const;
const EMPTY: Transcript = {
  conversation: { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ConversationId, kind: 'chat', title: '', createdAt: 0 },
  messages: [],
  hasOlder: false,
};

/** A conversation, one view of it, and between them a channel that can lose, double and shuffle. */
class Scene {
  readonly clock = new ManualClock();
  full = EMPTY;
  stream = 's0' as StreamId;
  n = 0;
  view: ViewState;
  /** The transcript after each event, by stream: what a view that has `n` must show. */
  readonly past = new Map<string, Transcript>();
  channel: Frame[] = [];
  readonly #feed = new ViewFeed({ post: (frame) => this.channel.push(frame) }, this.clock);
  #hellos = 0;
  #streams = 0;

  constructor() {
    this.view = waitingView(this.#hello());
    this.#remember();
    this.#ready();
  }

  happen(event: TranscriptEvent): void {
    const folded = fold(this.full, event);
    if (!folded.ok) throw new Error('the test made an event that does not follow');
    this.full = folded.transcript;
    this.n += 1;
    this.#remember();
    this.#feed.push(event);
  }

  /** The conversation is read anew from the file. */
  reload(): void {
    this.#streams += 1;
    this.stream = `s${this.#streams}` as StreamId;
    this.n = 0;
    this.#remember();
    this.#feed.stale();
  }

  /** The page is hidden, which destroys it, and shown again. */
  hideAndShow(): void {
    this.#feed.stop();
    this.channel = [];
    this.view = waitingView(this.#hello());
    this.#ready();
  }

  requestPage(): void {
    const first = this.view.live?.transcript.messages[0]?.seq;
    if (first === undefined || this.view.live?.stream !== this.stream) return;
    const older = this.full.messages.filter((message) => message.seq < first);
    const messages = older.slice(-2);
    this.#feed.post({
      kind: 'page',
      stream: this.stream,
      asOf: this.n,
      messages,
      hasOlder: older.length > messages.length,
    });
  }

  fetchPart(): void {
    const message = this.full.messages.at(-1);
    const part = message?.parts[0];
    if (message === undefined || part === undefined) return;
    this.#feed.post({ kind: 'part', stream: this.stream, asOf: this.n, seq: message.seq, idx: 0, part });
  }

  deliver(frame: Frame): void {
    const applied = applyFrame(this.view, frame);
    this.view = applied.state;
    if (applied.ask === true) {
      this.view = askedAgain(this.view, this.#hello());
      this.#ready();
    }
    this.check();
    const live = this.view.live;
    if (live !== undefined) this.#feed.rendered(live.stream, live.have);
  }

  /** Lets the channel work until nothing more happens. */
  settle(): void {
    for (let round = 0; round < 50; round += 1) {
      for (let frame = this.channel.shift(); frame !== undefined; frame = this.channel.shift()) this.deliver(frame);
      if (!this.view.answered) this.#ready();
      this.clock.advance(5_000);
      if (this.channel.length === 0 && this.view.answered) return;
    }
    throw new Error('the view never comes to rest');
  }

  /** At every moment: what the view shows is what a view that watched from the start would show of these messages. */
  check(): void {
    const live = this.view.live;
    if (live === undefined) return;
    const then = this.past.get(`${live.stream} ${live.have}`);
    const first = live.transcript.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
    expect(live.transcript.messages).toEqual(then?.messages.filter((message) => message.seq >= first));
    expect(live.transcript.conversation).toEqual(then?.conversation);
  }

  #remember(): void {
    this.past.set(`${this.stream} ${this.n}`, this.full);
  }

  #hello(): HelloId {
    this.#hellos += 1;
    return `h${this.#hellos}` as HelloId;
  }

  #ready(): void {
    const messages = this.full.messages.slice(-3);
    const transcript = { ...this.full, messages, hasOlder: messages.length < this.full.messages.length };
    const { stream, n } = this;
    this.#feed.start({ kind: 'snapshot', hello: this.view.hello, stream, n, transcript, status: STATUS, facts: FACTS });
  }
}

/** An event that can follow in this transcript; `dice` decides which and with what. */
function eventFrom(transcript: Transcript, dice: number, text: string): TranscriptEvent {
  const last = transcript.messages.at(-1);
  const seq = (last?.seq ?? 0) + 1;
  const added: TranscriptEvent = {
    type: 'message_added',
    message: {
      seq,
      role: dice % 2 === 0 ? 'user' : 'assistant',
      status: 'streaming',
      createdAt: 1,
      parts: [{ type: 'text', text }],
    },
  };
  if (last === undefined) return added;
  const idx = last.parts.length - 1;
  const part = last.parts[idx];
  const part2: Part = { type: 'tool', name: text, arguments: {}, state: dice % 2 === 0 ? 'running' : 'done' };
  switch (dice % 7) {
    case 0:
      return added;
    case 1:
      return { type: 'message_ended', seq: last.seq, end: { status: 'done', endedAt: dice } };
    case 2:
      return { type: 'conversation_changed', title: text };
    case 3:
      return { type: 'part_set', seq: last.seq, idx: idx + 1, part: { type: 'text', text: '' } };
    case 4:
      return { type: 'part_set', seq: last.seq, idx: Math.max(idx, 0), part: part2 };
    default: {
      if (part?.type === 'tool' && dice % 3 !== 0)
        return { type: 'tool_output', seq: last.seq, idx, output: { text, bytes: dice } };
      if (part?.type !== 'text') return { type: 'part_set', seq: last.seq, idx: idx + 1, part: { type: 'text', text } };
      const overlap = Math.min(dice % 3, part.text.length);
      const at = part.text.length - overlap;
      return { type: 'part_delta', seq: last.seq, idx, at, text: part.text.slice(at) + text };
    }
  }
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('event' as const), dice: fc.nat(1_000), text: fc.string({ maxLength: 6 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('deliver' as const, 'double' as const, 'lose' as const, 'late' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(3_000) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('page' as const, 'part' as const, 'hide' as const, 'reload' as const) }),
  },
);

describe('hydration', () => {
  it('shows, at every moment, what a view that watched from the start would show of the same messages', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const scene = new Scene();
        for (const each of steps) {
          switch (each.do) {
            case 'event':
              scene.happen(eventFrom(scene.full, each.dice, each.text));
              break;
            case 'deliver': {
              const frame = scene.channel.shift();
              if (frame !== undefined) scene.deliver(frame);
              break;
            }
            case 'double': {
              const frame = scene.channel.shift();
              if (frame !== undefined) {
                scene.deliver(frame);
                scene.deliver(frame);
              }
              break;
            }
            case 'lose':
              scene.channel.shift();
              break;
            case 'late': {
              const frame = scene.channel.shift();
              if (frame !== undefined) scene.channel.push(frame);
              break;
            }
            case 'wait':
              scene.clock.advance(each.ms);
              break;
            case 'page':
              scene.requestPage();
              break;
            case 'part':
              scene.fetchPart();
              break;
            case 'hide':
              scene.hideAndShow();
              break;
            case 'reload':
              scene.reload();
              break;
          }
        }
        // A lost end is noticed with the next event, or by the host when nothing is acknowledged.
        scene.happen({ type: 'conversation_changed', title: 'the end' });
        scene.settle();
        const live = scene.view.live;
        expect(live?.stream).toBe(scene.stream);
        expect(live?.have).toBe(scene.n);
        expect(live?.transcript.messages.at(-1)).toEqual(scene.full.messages.at(-1));
        scene.check();
      }),
      { numRuns: 3_000 },
    );
  });

  it('loses nothing of what happens while a page loads', () => {
    const scene = new Scene();
    for (let index = 0; index < 6; index += 1) scene.happen(eventFrom(scene.full, 0, `m${index}`));
    scene.settle();
    scene.hideAndShow();
    for (let index = 0; index < 20; index += 1) scene.happen(eventFrom(scene.full, 6, `${index} `));
    scene.settle();
    scene.requestPage();
    scene.settle();
    expect(scene.view.live?.transcript.messages).toEqual(scene.full.messages.slice(-5));
  });

  // F04
  it('the same batch twice changes nothing', () => {
    const scene = new Scene();
    scene.happen(eventFrom(scene.full, 1, 'It is '));
    scene.settle();
    for (const text of ['the', 'the', ' heron']) scene.happen(eventFrom(scene.full, 6, text));
    scene.clock.advance(FRAME_MS);
    const [batch] = scene.channel.splice(0);
    expect(batch).toMatchObject({ kind: 'batch', events: [{}, {}, {}] });
    scene.deliver(batch!);
    const once = scene.view;
    expect(once.live?.transcript.messages[0]?.parts).toEqual([{ type: 'text', text: 'It is thethe heron' }]);
    for (const frame of [batch!, { ...batch!, events: [] }, batch!] as Frame[]) scene.deliver(frame);
    expect(scene.view).toEqual(once);
    expect(scene.channel).toEqual([]);
  });
});
