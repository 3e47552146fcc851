import { signal, type ReadonlySignal } from '@preact/signals';
import type { Draft } from '../../protocol/frame';
import type { ConversationId } from '../../protocol/ids';
import type { HostPort } from '../host/hostPort';
import { KEPT_CONVERSATIONS, KEPT_OPEN_FOLDS, STATE_WRITE_MS } from '../limits';
import { DraftReport } from './draftReport';

/** Where the reader was: so many px below the top of what stands at message `seq`. */
export interface Anchor {
  readonly seq: number;
  readonly offset: number;
}

interface Kept {
  readonly draft: string;
  /** When the draft was changed, in epoch milliseconds: the newer of this one and the host's wins. */
  readonly draftAt: number;
  readonly open: readonly string[];
  /** Undefined: at the end. */
  readonly anchor?: Anchor;
}

const NOTHING: Kept = { draft: '', draftAt: 0, open: [] };

/** What only this view knows of a conversation: the text being written, open folds, the place read. */
export class UiState {
  readonly #host: HostPort;
  readonly #report: DraftReport;
  readonly #kept: Map<string, Kept>;
  readonly #draft = signal('');
  readonly #open = signal<ReadonlySet<string>>(new Set());
  #conversation: ConversationId | undefined;
  #writing: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HostPort) {
    this.#host = host;
    this.#report = new DraftReport(host);
    this.#kept = parse(host.readState());
    // A page that is put away gets no other moment; a lost timer would lose the last words.
    addEventListener('pagehide', () => {
      this.#report.flush();
      this.#write();
    });
  }

  get draft(): ReadonlySignal<string> {
    return this.#draft;
  }

  get open(): ReadonlySignal<ReadonlySet<string>> {
    return this.#open;
  }

  /**
   * Another conversation is shown: its own draft, folds and place come back. The host may know a newer draft, of another
   * view or of a page whose state was lost; it is looked at here only, so that it never replaces what is being typed.
   */
  enter(conversation: ConversationId, hosts?: Draft): void {
    if (this.#conversation === conversation) return;
    const typed = this.#conversation === undefined ? this.#draft.value : '';
    this.#conversation = conversation;
    const kept = this.#kept.get(conversation) ?? NOTHING;
    const mine: Draft = { text: kept.draft, at: kept.draftAt };
    const draft = hosts !== undefined && hosts.at > mine.at ? hosts : mine;
    this.#draft.value = draft.text;
    this.#open.value = new Set(kept.open);
    if (draft === hosts) this.#keep(conversation, { draft: draft.text, draftAt: draft.at });
    // The host has missed it: its last moment was too short, or its file is gone.
    else if (mine.at > (hosts?.at ?? 0)) this.#report.tell({ conversationId: conversation, ...mine });
    // What was typed before the first conversation was known belongs to it.
    if (typed !== '') this.setDraft(joined(draft.text, typed));
  }

  setDraft(text: string): void {
    this.#draft.value = text;
    if (this.#conversation !== undefined) this.#keepDraft(this.#conversation, text);
  }

  /** The draft is on its way as a message. The host hears of it at once: what was sent must not come back as a draft. */
  draftSent(): void {
    this.setDraft('');
    this.#report.flush();
  }

  /** Text that could not be sent comes back, before what was typed since. */
  giveBack(conversation: ConversationId, text: string): void {
    const here = conversation === this.#conversation;
    const typed = here ? this.#draft.value : (this.#kept.get(conversation) ?? NOTHING).draft;
    const draft = joined(text, typed);
    if (here) this.setDraft(draft);
    else this.#keepDraft(conversation, draft);
  }

  /** The draft goes along to the conversation that is shown now. */
  bringDraft(from: ConversationId): void {
    const to = this.#conversation;
    const text = this.#kept.get(from)?.draft ?? '';
    if (to === undefined || to === from || text === '') return;
    this.giveBack(to, text);
    this.#keepDraft(from, '');
  }

  setOpen(fold: string, open: boolean): void {
    const folds = new Set(this.#open.value);
    if (open) folds.add(fold);
    else folds.delete(fold);
    this.#open.value = folds;
    this.#change({ open: [...folds].slice(-KEPT_OPEN_FOLDS) });
  }

  get anchor(): Anchor | undefined {
    return this.#conversation === undefined ? undefined : this.#kept.get(this.#conversation)?.anchor;
  }

  setAnchor(anchor: Anchor | undefined): void {
    if (this.#conversation === undefined) return;
    const { anchor: _, ...rest } = this.#kept.get(this.#conversation) ?? NOTHING;
    this.#put(this.#conversation, anchor === undefined ? rest : { ...rest, anchor });
  }

  #keepDraft(conversation: ConversationId, draft: string): void {
    const draftAt = Date.now();
    this.#keep(conversation, { draft, draftAt });
    this.#report.tell({ conversationId: conversation, text: draft, at: draftAt });
  }

  #change(change: Partial<Kept>): void {
    if (this.#conversation !== undefined) this.#keep(this.#conversation, change);
  }

  #keep(conversation: ConversationId, change: Partial<Kept>): void {
    this.#put(conversation, { ...(this.#kept.get(conversation) ?? NOTHING), ...change });
  }

  #put(conversation: ConversationId, kept: Kept): void {
    this.#kept.delete(conversation);
    this.#kept.set(conversation, kept);
    this.#writing ??= setTimeout(() => this.#write(), STATE_WRITE_MS);
  }

  #write(): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    this.#host.writeState({ conversations: [...this.#kept].slice(-KEPT_CONVERSATIONS) });
  }
}

/** Two texts as one, the first before what was typed after it. */
function joined(first: string, then: string): string {
  if (first.trim() === '') return then;
  return then.trim() === '' ? first : `${first}\n\n${then}`;
}

/** The state is ours, but may be of an older build: what does not fit is left out. */
function parse(state: unknown): Map<string, Kept> {
  const kept = new Map<string, Kept>();
  if (!isObject(state) || !Array.isArray(state['conversations'])) return kept;
  for (const entry of state['conversations'] as readonly unknown[]) {
    if (!Array.isArray(entry)) continue;
    const [id, one] = entry as readonly unknown[];
    if (typeof id === 'string' && isObject(one)) kept.set(id, parseKept(one));
  }
  return kept;
}

function parseKept(one: Readonly<Record<string, unknown>>): Kept {
  const anchor = one['anchor'];
  const open: readonly unknown[] = Array.isArray(one['open']) ? one['open'] : [];
  const kept: Kept = {
    draft: typeof one['draft'] === 'string' ? one['draft'] : '',
    draftAt: typeof one['draftAt'] === 'number' ? one['draftAt'] : 0,
    open: open.filter((fold): fold is string => typeof fold === 'string'),
  };
  if (!isObject(anchor) || typeof anchor['seq'] !== 'number' || typeof anchor['offset'] !== 'number') return kept;
  return { ...kept, anchor: { seq: anchor['seq'], offset: anchor['offset'] } };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
