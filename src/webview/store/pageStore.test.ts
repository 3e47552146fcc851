// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HelloId } from '../../protocol/ids';
import type { Reply } from '../../protocol/wire';
import { answer, CONVERSATION, facts, snapshot, status, STREAM, text, userMessage } from '../testing/build';
import { FakeHost } from '../testing/fakeHost';
import { PageStore } from './pageStore';

const params = (host: FakeHost, method: string): readonly Record<string, unknown>[] =>
  host.askedFor(method) as readonly Record<string, unknown>[];
const hello = (host: FakeHost): HelloId => params(host, 'ready').at(-1)?.['hello'] as HelloId;

describe('The store of the page', () => {
  let host: FakeHost;
  let page: PageStore;
  const frame = (): Promise<unknown> => vi.advanceTimersByTimeAsync(60);

  beforeEach(() => {
    vi.useFakeTimers();
    host = new FakeHost();
    page = new PageStore(host);
    page.start();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const shown = async (): Promise<void> => {
    host.emit(snapshot(hello(host), [userMessage(1, 'hi')]));
    await frame();
  };

  it('says ready at the start and takes the snapshot that answers it', async () => {
    expect(params(host, 'ready')).toHaveLength(1);
    await shown();
    expect(page.live.value?.transcript.messages).toHaveLength(1);
    expect(page.facts.value?.folder).toBe('harbor-queue');
  });

  it('says ready again, with the same id, as long as nobody answers', async () => {
    await vi.advanceTimersByTimeAsync(4_100);
    const said = params(host, 'ready');
    expect(said).toHaveLength(3);
    expect(new Set(said.map((one) => one['hello'])).size).toBe(1);
    await shown();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(params(host, 'ready')).toHaveLength(3);
  });

  it('says ready with a new id when an event is missing, and keeps what it shows meanwhile', async () => {
    await shown();
    host.emit({ kind: 'batch', stream: STREAM, from: 5, events: [] });
    await frame();
    const said = params(host, 'ready');
    expect(said).toHaveLength(2);
    expect(said[0]?.['hello']).not.toBe(said[1]?.['hello']);
    expect(page.live.value?.transcript.messages).toHaveLength(1);
    host.emit(snapshot(hello(host), [userMessage(1, 'hi'), answer(2, [text('ho')])], { n: 5 }));
    await frame();
    expect(page.live.value?.have).toBe(5);
  });

  it('applies all frames of a paint at once, and folds events in order', async () => {
    await shown();
    const message = { ...answer(2, [text('')]), status: 'streaming' as const };
    host.emit(
      { kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'message_added', message }] },
      { kind: 'batch', stream: STREAM, from: 2, events: [{ type: 'part_delta', seq: 2, idx: 0, at: 0, text: 'ab' }] },
      { kind: 'batch', stream: STREAM, from: 2, events: [{ type: 'part_delta', seq: 2, idx: 0, at: 0, text: 'ab' }] },
      { kind: 'batch', stream: STREAM, from: 3, events: [{ type: 'part_delta', seq: 2, idx: 0, at: 2, text: 'c' }] },
    );
    expect(page.live.value?.have).toBe(0);
    await frame();
    expect(page.live.value?.transcript.messages[1]?.parts[0]).toEqual({ type: 'text', text: 'abc' });
  });

  it('tells what is drawn, at most every 100 ms', async () => {
    await shown();
    for (let n = 1; n <= 20; n += 1) {
      host.emit({ kind: 'batch', stream: STREAM, from: n, events: [{ type: 'conversation_changed', title: `t${n}` }] });
      await vi.advanceTimersByTimeAsync(20);
    }
    await vi.advanceTimersByTimeAsync(150);
    const told = host.told.filter((said) => said.method === 'rendered').map((said) => said.params);
    expect(told.length).toBeLessThanOrEqual(8);
    expect(told.at(-1)).toEqual({ stream: STREAM, n: 20 });
  });

  it('shows an own message at once and drops its copy when the message arrives', async () => {
    await shown();
    page.ui.setDraft('why?');
    const sending = page.send();
    expect(page.ui.draft.value).toBe('');
    expect(page.pending.value.map((send) => send.text)).toEqual(['why?']);
    await sending;
    expect(page.pending.value).toHaveLength(1);
    const clientId = page.pending.value[0]?.clientId;
    const message = { ...userMessage(2, 'why?'), ...(clientId === undefined ? {} : { clientId }) };
    host.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'message_added', message }] });
    await frame();
    expect(page.pending.value).toEqual([]);
    expect(page.problem.value).toBeUndefined();
  });

  it('gives a refused message back to the composer, before what was typed since, and sends it with the same id', async () => {
    await shown();
    host.reply = (said) => (said.method === 'send' ? { ok: false, message: 'Busy elsewhere.' } : { ok: true });
    page.ui.setDraft('why?');
    const sending = page.send();
    page.ui.setDraft('next');
    await sending;
    expect(page.pending.value).toEqual([]);
    expect(page.ui.draft.value).toBe('why?\n\nnext');
    expect(page.problem.value).toEqual({ lead: 'Not sent.', text: 'Busy elsewhere.' });
    page.ui.setDraft('why?');
    await page.send();
    const sent = params(host, 'send');
    expect(sent[0]?.['clientId']).toBe(sent[1]?.['clientId']);
  });

  it('believes the event when only the answer to a send was lost', async () => {
    await shown();
    host.reply = (said) => {
      if (said.method !== 'send') return { ok: true };
      const { clientId } = said.params as { clientId: never };
      const message = userMessage(2, 'why?', { clientId });
      host.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'message_added', message }] });
      return new Promise((resolve) => setTimeout(() => resolve({ ok: false, message: 'lost' }), 500));
    };
    page.ui.setDraft('why?');
    const sending = page.send();
    await vi.advanceTimersByTimeAsync(600);
    await sending;
    expect(page.problem.value).toBeUndefined();
    expect(page.ui.draft.value).toBe('');
  });

  it('tells the host of a message before it tells that the draft is empty', async () => {
    await shown();
    const order: string[] = [];
    host.reply = ({ method }) => {
      order.push(method);
      return { ok: true };
    };
    host.tell = ({ method }) => void order.push(method);
    page.ui.setDraft('why?');
    await page.send();
    expect(order).toEqual(['send', 'draft']);
  });

  it('begins with the draft that the host has, and never puts it over what is typed since', async () => {
    host.emit(snapshot(hello(host), [], { draft: { text: 'half', at: 1 } }));
    await frame();
    expect(page.ui.draft.value).toBe('half');
    page.ui.setDraft('half a thou');
    host.emit({ kind: 'stale' });
    await frame();
    host.emit(snapshot(hello(host), [], { n: 1, draft: { text: 'half a', at: Date.now() + 1_000 } }));
    await frame();
    expect(page.live.value?.have).toBe(1);
    expect(page.ui.draft.value).toBe('half a thou');
  });

  it('keeps draft, folds and place for each conversation, in this life of the page and the next', async () => {
    await shown();
    page.ui.setDraft('half a thou');
    page.ui.setOpen('tool:2:0', true);
    page.ui.setAnchor({ seq: 2, offset: 14 });
    await vi.advanceTimersByTimeAsync(300);
    const next = new PageStore(host);
    next.ui.enter(CONVERSATION);
    expect(next.ui.draft.value).toBe('half a thou');
    expect(next.ui.open.value.has('tool:2:0')).toBe(true);
    expect(next.ui.anchor).toEqual({ seq: 2, offset: 14 });
    next.ui.enter('01JYYYYYYYYYYYYYYYYYYYYYYY' as typeof CONVERSATION);
    expect(next.ui.draft.value).toBe('');
    expect(next.ui.anchor).toBeUndefined();
  });

  it('never takes the same words said again for the message that was refused before', async () => {
    await shown();
    const say = async (reply: Reply): Promise<void> => {
      host.reply = () => reply;
      page.ui.setDraft('go on');
      await page.send();
    };
    await say({ ok: false, message: 'Busy elsewhere.' });
    await say({ ok: true });
    await say({ ok: true });
    const [refused, again, later] = params(host, 'send').map((one) => one['clientId']);
    expect(again).toBe(refused);
    expect(later).not.toBe(refused);
  });

  it('starts afresh with a state that it cannot read', () => {
    for (const state of [null, 7, 'x', { conversations: [1, [2], ['a', { open: 3, anchor: {} }]] }]) {
      const odd = new FakeHost();
      odd.state = state;
      const fresh = new PageStore(odd);
      fresh.ui.enter(CONVERSATION);
      expect(fresh.ui.draft.value).toBe('');
    }
  });

  it('asks for an older page once per place, and again when it came too late', async () => {
    const transcript = { ...snapshot(hello(host), [userMessage(9, 'hi')]).transcript, hasOlder: true };
    host.emit(snapshot(hello(host), [], { transcript }));
    await frame();
    page.loadOlder();
    page.loadOlder();
    expect(params(host, 'olderPage')).toEqual([{ stream: STREAM, beforeSeq: 9 }]);
    host.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'conversation_changed', title: 't' }] });
    host.emit({ kind: 'page', stream: STREAM, asOf: 0, messages: [userMessage(1, 'old')], hasOlder: false });
    await frame();
    expect(params(host, 'olderPage')).toHaveLength(2);
    host.emit({ kind: 'page', stream: STREAM, asOf: 1, messages: [userMessage(1, 'old')], hasOlder: false });
    await frame();
    expect(page.live.value?.transcript.messages.map((message) => message.seq)).toEqual([1, 9]);
  });

  it('says when a reply starts and ends, and what went wrong, but not what was there before', async () => {
    await shown();
    expect(page.announcer.status.value).toBe('');
    host.emit({
      kind: 'status',
      stream: STREAM,
      status: status({ version: 2, run: { kind: 'waiting', startedAt: 1 } }),
    });
    await frame();
    expect(page.announcer.status.value).toBe('Reply started');
    const failed = answer(2, [], { status: 'error', reason: 'empty' });
    host.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'message_added', message: failed }] });
    host.emit({ kind: 'status', stream: STREAM, status: status({ version: 3 }) });
    await frame();
    expect(page.announcer.status.value).toBe('Reply finished');
    expect(page.announcer.alert.value).toBe('The model answered nothing.');
  });

  it('does not call a reply finished that another window took over', async () => {
    host.emit(snapshot(hello(host), [], { status: status({ run: { kind: 'waiting', startedAt: 1 } }) }));
    await frame();
    host.emit({ kind: 'status', stream: STREAM, status: status({ version: 2, owner: 'elsewhere' }) });
    await frame();
    expect(page.live.value?.status.owner).toBe('elsewhere');
    expect(page.announcer.status.value).toBe('');
  });

  it('names the model of the conversation before that of the window', async () => {
    host.emit(snapshot(hello(host), [], { facts: facts({ model: 'a' }) }));
    await frame();
    expect(page.model.value).toBe('a');
    host.emit({ kind: 'batch', stream: STREAM, from: 1, events: [{ type: 'conversation_changed', model: 'b' }] });
    await frame();
    expect(page.model.value).toBe('b');
  });
});
