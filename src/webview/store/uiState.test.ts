// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationId } from '../../protocol/ids';
import { CONVERSATION } from '../testing/build';
import { FakeHost } from '../testing/fakeHost';
import { UiState } from './uiState';

const OTHER = '01JYYYYYYYYYYYYYYYYYYYYYYY' as ConversationId;

describe('What is being written', () => {
  let host: FakeHost;
  let ui: UiState;
  const told = (): unknown[] => host.told.filter((said) => said.method === 'draft').map((said) => said.params);
  /** A later life of the page. */
  const reload = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(300);
    host.told.length = 0;
    ui = new UiState(host);
  };
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000 });
    host = new FakeHost();
    ui = new UiState(host);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is told to the host with its time, at most every 200 ms', async () => {
    ui.enter(CONVERSATION);
    for (const text of ['w', 'wh', 'why']) {
      ui.setDraft(text);
      await vi.advanceTimersByTimeAsync(90);
    }
    expect(told()).toEqual([{ conversationId: CONVERSATION, text: 'why', at: 1_180 }]);
    ui.setDraft('why?');
    await vi.advanceTimersByTimeAsync(200);
    expect(told()).toHaveLength(2);
    expect(told().at(-1)).toEqual({ conversationId: CONVERSATION, text: 'why?', at: 1_270 });
  });

  it('is told at once when it is sent, when another conversation is written in, and when the page goes', () => {
    ui.enter(CONVERSATION);
    ui.setDraft('why?');
    ui.draftSent();
    expect(told()).toEqual([{ conversationId: CONVERSATION, text: '', at: 1_000 }]);
    ui.setDraft('half');
    ui.enter(OTHER);
    ui.setDraft('whole');
    expect(told().at(-1)).toMatchObject({ conversationId: CONVERSATION, text: 'half' });
    dispatchEvent(new Event('pagehide'));
    expect(told().at(-1)).toMatchObject({ conversationId: OTHER, text: 'whole' });
  });

  it('is, on entering, the newer of what the page kept and what the host has', async () => {
    ui.enter(CONVERSATION);
    ui.setDraft('kept');
    await reload();
    ui.enter(CONVERSATION, { text: 'older', at: 999 });
    expect(ui.draft.value).toBe('kept');
    await reload();
    ui.enter(CONVERSATION, { text: 'newer', at: 1_001 });
    expect(ui.draft.value).toBe('newer');
    await reload();
    ui.enter(CONVERSATION, { text: 'older', at: 999 });
    expect(ui.draft.value).toBe('newer');
    await reload();
    ui.enter(CONVERSATION, { text: '', at: 5_000 });
    expect(ui.draft.value).toBe('');
  });

  it('is told to a host that has missed it, and to no other', async () => {
    ui.enter(CONVERSATION);
    ui.setDraft('kept');
    await reload();
    ui.enter(CONVERSATION, { text: 'kept', at: 1_000 });
    await reload();
    expect(told()).toEqual([]);
    ui.enter(CONVERSATION);
    await vi.advanceTimersByTimeAsync(200);
    expect(told()).toEqual([{ conversationId: CONVERSATION, text: 'kept', at: 1_000 }]);
  });

  it('is the host’s when the page’s is of an older build, without a time', () => {
    host.state = { conversations: [[CONVERSATION, { draft: 'old', open: [] }]] };
    ui = new UiState(host);
    ui.enter(CONVERSATION);
    expect(ui.draft.value).toBe('old');
    ui = new UiState(host);
    ui.enter(CONVERSATION, { text: 'new', at: 1 });
    expect(ui.draft.value).toBe('new');
  });

  it('is never replaced while it is being typed', () => {
    ui.enter(CONVERSATION, { text: 'first', at: 1 });
    ui.setDraft('first and more');
    ui.enter(CONVERSATION, { text: 'other', at: 99_000 });
    expect(ui.draft.value).toBe('first and more');
  });

  it('goes on from what was there when the typing began before the conversation was known', () => {
    ui.setDraft('more');
    ui.enter(CONVERSATION, { text: 'first', at: 1 });
    expect(ui.draft.value).toBe('first\n\nmore');
    dispatchEvent(new Event('pagehide'));
    expect(told()).toEqual([{ conversationId: CONVERSATION, text: 'first\n\nmore', at: 1_000 }]);
  });
});
