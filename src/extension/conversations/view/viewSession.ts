import type { ConversationId, HelloId, StreamId } from '../../../protocol/ids';
import type {
  AnswerParams,
  ChooseModelParams,
  ConversationParams,
  DraftParams,
  FetchPartParams,
  ModelParams,
  MoveQueuedParams,
  OlderPageParams,
  QueuedParams,
  ReadyParams,
  RenderedParams,
  Reply,
  SendParams,
  SetModeParams,
  UseHostParams,
} from '../../../protocol/wire';
import type { Clock } from '../../base/clock';
import type { Page } from '../../storage/reading/page';
import type { Store } from '../../storage/store';
import { StorageError } from '../../storage/storageError';
import { imageParts } from '../images';
import type { LiveConversation } from '../liveConversation';
import { FOLLOWING } from '../replies';
import { partOf } from '../saving/storedPart';
import { ViewFeed, type ViewPort } from './viewFeed';
import type { WindowFactsWatch } from '../facts/windowFacts';
import { newestThatFit, withoutImageData, withShortParts } from './wirePage';

const OTHER_CONVERSATION = 'This view shows another conversation now.';
const NO_MODEL = 'No model is chosen. Choose one below the message.';

/** What a session needs of its surroundings. */
export interface ViewServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly facts: WindowFactsWatch;
}

/**
 * One view and the conversation it shows. The view asks; what it is told goes by frames on one ordered channel.
 * A snapshot is taken from memory and posted with no await in between.
 */
export class ViewSession {
  readonly #services: ViewServices;
  readonly #feed: ViewFeed;
  readonly #stopFacts: () => void;
  #live: LiveConversation;
  #stopListening: () => void;

  constructor(services: ViewServices, port: ViewPort, live: LiveConversation) {
    this.#services = services;
    this.#feed = new ViewFeed(port, services.clock);
    this.#live = live;
    this.#stopListening = this.#listen(live);
    this.#stopFacts = services.facts.listen((facts) => port.post({ kind: 'facts', facts }));
  }

  get live(): LiveConversation {
    return this.#live;
  }

  /** Shows another conversation. Answers the one that was shown. */
  show(live: LiveConversation): LiveConversation {
    const before = this.#live;
    if (live === before) return before;
    this.#stopListening();
    this.#live = live;
    this.#stopListening = this.#listen(live);
    this.#feed.stale();
    return before;
  }

  ready({ hello }: ReadyParams): Reply {
    this.#snapshot(hello);
    return { ok: true };
  }

  rendered({ stream, n }: RenderedParams): void {
    this.#feed.rendered(stream, n);
  }

  /** The page is gone, as a hidden one is: nothing is sent until the next one says `ready`. */
  hidden(): void {
    this.#feed.stop();
  }

  async olderPage({ stream, beforeSeq }: OlderPageParams): Promise<Reply> {
    const live = this.#live;
    if (stream !== live.stream) return { ok: true }; // The view is about to get another snapshot.
    try {
      const page = await this.#pageBefore(live, beforeSeq);
      if (stream === this.#live.stream) {
        this.#feed.post({ kind: 'page', stream, asOf: live.n, ...page });
      }
      return { ok: true };
    } catch (error) {
      return { ok: false, message: StorageError.from(error).sentence };
    }
  }

  async fetchPart({ stream, seq, idx }: FetchPartParams): Promise<Reply> {
    const live = this.#live;
    if (stream !== live.stream) return { ok: true };
    try {
      const part = await partOf(live, this.#services.store.reader, seq, idx);
      if (part === undefined) return { ok: false, message: 'This part is not in the history file any more.' };
      if (stream === this.#live.stream) this.#feed.post({ kind: 'part', stream, asOf: live.n, seq, idx, part });
      return { ok: true };
    } catch (error) {
      return { ok: false, message: StorageError.from(error).sentence };
    }
  }

  async send({ conversationId, clientId, text, images = [] }: SendParams): Promise<Reply> {
    return this.#withModel(conversationId, async (model) => {
      if (images.length > 0 && this.#cannotSee(model))
        return { ok: false, message: `${model} cannot see images. Choose another model, or remove the images.` };
      const parts = imageParts(images);
      return parts.ok ? this.#live.send(clientId, text, model, parts.value) : { ok: false, message: parts.failure };
    });
  }

  async retry({ conversationId }: ConversationParams): Promise<Reply> {
    return this.#withModel(conversationId, (model) => this.#live.retry(model));
  }

  async sendQueued({ conversationId, clientId }: QueuedParams): Promise<Reply> {
    return this.#withModel(conversationId, (model) => this.#live.sendQueued(clientId, model));
  }

  unqueue({ conversationId, clientId }: QueuedParams): Reply {
    return conversationId === this.#live.id ? this.#live.unqueue(clientId) : { ok: false, message: OTHER_CONVERSATION };
  }

  moveQueued({ conversationId, clientId, before }: MoveQueuedParams): Reply {
    return conversationId === this.#live.id
      ? this.#live.moveQueued(clientId, before)
      : { ok: false, message: OTHER_CONVERSATION };
  }

  async answer({ conversationId, request, answer }: AnswerParams): Promise<Reply> {
    return conversationId === this.#live.id
      ? this.#live.answer(request, answer)
      : { ok: false, message: OTHER_CONVERSATION };
  }

  setMode({ conversationId, mode }: SetModeParams): Reply {
    return conversationId === this.#live.id ? this.#live.setMode(mode) : { ok: false, message: OTHER_CONVERSATION };
  }

  async compact({ conversationId }: ConversationParams): Promise<Reply> {
    return this.#withModel(conversationId, (model) => this.#live.compact(model));
  }

  async continueHere({ conversationId }: ConversationParams): Promise<Reply> {
    return conversationId === this.#live.id ? this.#live.continueHere() : { ok: false, message: OTHER_CONVERSATION };
  }

  /** What was typed last into a conversation that is not shown any more comes too late. */
  draft({ conversationId, text, at }: DraftParams): void {
    if (conversationId === this.#live.id) this.#live.setDraft({ text, at });
  }

  stop({ conversationId }: ConversationParams): Reply {
    return this.#withConversation(conversationId, () => this.#live.stop());
  }

  chooseModel({ conversationId, model }: ChooseModelParams): Reply {
    // Nobody's choice for what comes next was meant, either.
    if (conversationId === this.#live.id && this.#live.status.owner === 'elsewhere') return FOLLOWING;
    return this.#withConversation(conversationId, () => {
      this.#live.chooseModel(model);
      this.#services.facts.chose(model);
    });
  }

  trySave({ conversationId }: ConversationParams): Reply {
    return this.#withConversation(conversationId, () => this.#services.store.retryNow());
  }

  pull({ model }: ModelParams): Reply {
    return this.#services.facts.pulls.start(model);
  }

  cancelPull({ model }: ModelParams): Reply {
    this.#services.facts.pulls.cancel(model);
    return { ok: true };
  }

  async useHost({ host }: UseHostParams): Promise<Reply> {
    return this.#services.facts.useHost(host);
  }

  dispose(): void {
    this.#stopListening();
    this.#stopFacts();
    this.#feed.stop();
  }

  #listen(live: LiveConversation): () => void {
    let running = live.status.run.kind !== 'idle';
    return live.listen({
      event: (event) => this.#feed.push(withoutImageData(event)),
      status: (status) => {
        this.#feed.post({ kind: 'status', stream: live.stream, status });
        const ended = running && status.run.kind === 'idle';
        running = status.run.kind !== 'idle';
        if (ended) this.#askAfterTurn(live);
      },
      replaced: () => this.#feed.stale(),
    });
  }

  /** What the view says of the server is old when a turn has just ended because of it; of its memory, after any turn. */
  #askAfterTurn(live: LiveConversation): void {
    const { facts } = this.#services;
    const reason = live.transcript.messages.at(-1)?.reason;
    if (reason === 'unreachable' || reason === 'model_not_found') void facts.ask();
    else void facts.askLoaded();
  }

  /** Whether the server says that the model is blind. */
  #cannotSee(name: string): boolean {
    const { server } = this.#services.facts.current;
    return server.kind === 'up' && server.models.find((model) => model.name === name)?.vision === false;
  }

  #snapshot(hello: HelloId): void {
    const live = this.#live;
    const stream: StreamId = live.stream;
    const { messages, cut } = newestThatFit(live.transcript.messages);
    this.#feed.start({
      kind: 'snapshot',
      hello,
      stream,
      n: live.n,
      transcript: { ...live.transcript, messages, hasOlder: cut || live.transcript.hasOlder },
      status: live.status,
      facts: this.#services.facts.current,
      ...(live.draft === undefined ? {} : { draft: live.draft }),
    });
  }

  /** What is in memory is never older than the file, and only what is in memory changes: no event touches older pages. */
  async #pageBefore(live: LiveConversation, beforeSeq: number): Promise<Page> {
    const inMemory = live.transcript.messages.filter((message) => message.seq < beforeSeq);
    if (inMemory.length > 0) {
      const { messages, cut } = newestThatFit(inMemory);
      return { messages, hasOlder: cut || live.transcript.hasOlder };
    }
    const page = await this.#services.store.reader.readOlderPage(live.id, beforeSeq);
    return { messages: page.messages.map(withShortParts), hasOlder: page.hasOlder };
  }

  #withConversation(id: ConversationId, action: () => void): Reply {
    if (id !== this.#live.id) return { ok: false, message: OTHER_CONVERSATION };
    action();
    return { ok: true };
  }

  async #withModel(id: ConversationId, action: (model: string) => Promise<Reply>): Promise<Reply> {
    if (id !== this.#live.id) return { ok: false, message: OTHER_CONVERSATION };
    const model = this.#live.transcript.conversation.model ?? this.#services.facts.current.model;
    return model === undefined ? { ok: false, message: NO_MODEL } : action(model);
  }
}
