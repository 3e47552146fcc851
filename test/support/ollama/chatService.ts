import { admitChat } from './chatAdmission';
import type { AdmittedChat } from './chatAdmission';
import { ChatPlayer } from './chatPlayer';
import type { ChatRequest } from './chatRequest';
import type { JsonObject } from './goJson';
import type { HttpReply } from './httpReply';
import type { LoadedModels } from './loadedModels';
import type { InstalledModel, ModelSet } from './modelSet';
import type { ChatAnswerer } from './scriptQueue';
import { ScriptQueue } from './scriptQueue';
import { versionIsAtLeast } from './serverVersion';
import { SlotQueue } from './slotQueue';
import { TokenCount } from './tokenCount';
import type { Tokenizer } from './tokenizer';
import { findOverflow, isShifting } from './windowCheck';

/** What is in use stays; its time to live starts at the end of the request. */
const IN_USE_MS = -1;

const LOAD_NS = 1_500_000_000;
const ALREADY_LOADED_NS = 50_000_000;

/** What a chat service works with. */
export interface ChatSurroundings {
  readonly models: ModelSet;
  readonly loaded: LoadedModels;
  readonly now: () => Date;
  /** Resolves when a model that is not in memory has been read. */
  readonly reading: () => Promise<unknown>;
  /** How many chats run at once. */
  readonly parallel: number;
  /** How many chats may wait. */
  readonly maxQueue: number;
  /** Tokens. */
  readonly defaultContextLength: number;
  readonly tokenizer: Tokenizer | undefined;
}

/** Answers `/api/chat`: checks, loading and unloading, the queue, and the scripts. */
export class ChatService {
  readonly scripts = new ScriptQueue();
  private readonly slots: SlotQueue;
  private readonly tokens: TokenCount;
  private callIds = 0;

  constructor(private readonly surroundings: ChatSurroundings) {
    this.tokens = new TokenCount(surroundings.tokenizer);
    this.slots = new SlotQueue(surroundings.parallel, surroundings.maxQueue);
  }

  /** Answers one request; `fallback` is for those without a script. */
  async answer(bodyText: string, version: string, fallback: ChatAnswerer, reply: HttpReply): Promise<void> {
    const { models, loaded } = this.surroundings;
    const admitted = admitChat(bodyText, models, version);
    if (!admitted.ok) return reply.json(admitted.status, { error: admitted.error });
    const { request, model, isUnload } = admitted;
    if (isUnload) {
      loaded.unload(model);
      return reply.json(200, this.emptyReply(request, 'unload'));
    }
    if (request.messages.length === 0) {
      if ((await this.load(admitted, version, reply)) === 'gone') return;
      this.keep(model, admitted.keepAliveMs);
      return reply.json(200, this.emptyReply(request, 'load'));
    }

    const script = this.scripts.take(request) ?? fallback;
    const slot = await this.slots.take(reply.gone.opened);
    if (slot === 'gone') return;
    if (slot === 'full') {
      return reply.json(503, { error: 'server busy, please try again.  maximum pending requests exceeded' });
    }
    try {
      await this.play(admitted, version, script, reply);
    } finally {
      this.slots.release();
    }
  }

  private async play(admitted: AdmittedChat, version: string, script: ChatAnswerer, reply: HttpReply): Promise<void> {
    const { request, model, keepAliveMs } = admitted;
    const load = await this.load(admitted, version, reply);
    if (load === 'gone') return;
    const { contextLength, wasLoaded } = load;
    const overflow = findOverflow(request, contextLength, version, (one) => this.tokens.countPromptTokens(one));
    if (overflow) {
      reply.json(overflow.status, { error: overflow.error });
      return this.keep(model, keepAliveMs);
    }
    const player = new ChatPlayer(reply, {
      request,
      model,
      // The real server cuts the history down to the window and reports what is left.
      promptTokens: Math.min(this.tokens.countPromptTokens(request), contextLength),
      tokens: this.tokens,
      contextLength: isShifting(request, version) ? Number.POSITIVE_INFINITY : contextLength,
      loadNanoseconds: wasLoaded ? ALREADY_LOADED_NS : LOAD_NS,
      now: this.surroundings.now,
      nextCallId: () => this.nextCallId(version),
    });
    await player.play(script(request));
    await reply.settled();
    this.keep(model, keepAliveMs);
  }

  /** Ollama protocol: the time to live starts again at the end of each request. */
  private keep(model: InstalledModel, keepAliveMs: number): void {
    if (keepAliveMs === 0) this.surroundings.loaded.unload(model);
    else this.surroundings.loaded.prolong(model, keepAliveMs);
  }

  private async load(
    { request, model, numCtx }: AdmittedChat,
    version: string,
    reply: HttpReply,
  ): Promise<{ contextLength: number; wasLoaded: boolean } | 'gone'> {
    const { loaded, defaultContextLength, reading } = this.surroundings;
    const window = numCtx ?? defaultContextLength;
    const shifts = isShifting(request, version);
    const wasLoaded = loaded.has(model, window, shifts);
    if (!wasLoaded) {
      // With another window or way to shift it is loaded anew.
      loaded.unload(model);
      await Promise.race([reading(), reply.gone.opened]);
      if (reply.gone.isOpen) return 'gone';
    }
    const { contextLength } = loaded.use(model, window, IN_USE_MS, shifts);
    return { contextLength, wasLoaded };
  }

  private emptyReply(request: ChatRequest, reason: 'load' | 'unload'): JsonObject {
    return {
      model: request.model,
      created_at: this.surroundings.now().toISOString(),
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: reason,
    };
  }

  /** Eight characters of the real alphabet, the same in every run. */
  private nextCallId(version: string): string | undefined {
    if (!versionIsAtLeast(version, '0.12.10')) return undefined;
    this.callIds += 1;
    return `call_${this.callIds.toString(36).padStart(8, '0')}`;
  }
}
