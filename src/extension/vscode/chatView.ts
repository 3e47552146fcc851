import * as vscode from 'vscode';
import type { ConversationId } from '../../protocol/ids';
import {
  cancelPullRequest,
  chooseModelRequest,
  compactRequest,
  continueHereRequest,
  draftNotification,
  fetchPartRequest,
  forkRequest,
  moveQueuedRequest,
  olderPageRequest,
  openLinkRequest,
  pullRequest,
  readyRequest,
  renderedNotification,
  retryRequest,
  runCommandRequest,
  sendQueuedRequest,
  sendRequest,
  stopRequest,
  tryServerRequest,
  trySaveRequest,
  unqueueRequest,
  useHostRequest,
  type ConversationParams,
  type Reply,
} from '../../protocol/wire';
import type { LiveConversation } from '../conversations/liveConversation';
import type { ConversationRegistry } from '../conversations/registry';
import type { FileWatch } from '../conversations/fileWatch';
import { ViewSession, type ViewServices } from '../conversations/viewSession';
import type { WorkspaceIdentity } from '../storage/change';
import { currentFolder, folderOf, identityOf } from './folder';
import { pageHtml, pageRoots } from './html';
import { openLink } from './links';
import type { Memory } from './memory';
import type { PageMessenger } from './pageMessenger';
import {
  chooseModelSchema,
  conversationSchema,
  draftSchema,
  fetchPartSchema,
  modelSchema,
  moveQueuedSchema,
  nothingSchema,
  olderPageSchema,
  openLinkSchema,
  queuedSchema,
  readySchema,
  renderedSchema,
  runCommandSchema,
  sendSchema,
  useHostSchema,
} from './pageSchemas';

export const CHAT_VIEW = 'holdfast.chat';

/** The chat in the side bar: one view, one conversation at a time. */
export class ChatView implements vscode.WebviewViewProvider {
  readonly #extensionUri: vscode.Uri;
  readonly #services: ViewServices & { readonly watch: FileWatch };
  readonly #registry: ConversationRegistry;
  readonly #memory: Memory;
  readonly #messenger: PageMessenger;
  #shown: Promise<LiveConversation> | undefined;
  #view: vscode.WebviewView | undefined;
  /** Of the page that is up; requests of a page wait for it. */
  #session: Promise<ViewSession> | undefined;
  #stopTitle: (() => void) | undefined;

  constructor(
    extensionUri: vscode.Uri,
    services: ViewServices & { readonly watch: FileWatch },
    registry: ConversationRegistry,
    memory: Memory,
    messenger: PageMessenger,
  ) {
    this.#extensionUri = extensionUri;
    this.#services = services;
    this.#registry = registry;
    this.#memory = memory;
    this.#messenger = messenger;
    this.#serve();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const post = this.#messenger.register(view);
    const session = this.#firstShown().then((live) => new ViewSession(this.#services, { post }, live));
    this.#session = session;
    void session.then(({ live }) => this.#nameAfter(live));
    view.onDidChangeVisibility(() => {
      this.#onScreen(view.visible);
      // The page of a hidden view is gone; one that is shown again says `ready`.
      if (!view.visible) void session.then((shown) => shown.hidden());
    });
    view.onDidDispose(() => {
      void session.then((shown) => shown.dispose());
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#session = undefined;
      this.#onScreen(false);
    });
    view.webview.options = { enableScripts: true, localResourceRoots: pageRoots(this.#extensionUri) };
    view.webview.html = pageHtml(view.webview, this.#extensionUri);
    this.#onScreen(view.visible);
  }

  /** Brings the view up and shows a new conversation of the folder that is in use. */
  async newConversation(): Promise<void> {
    const workspace = identityOf(currentFolder());
    await this.#show(this.#registry.create(workspace, undefined));
    // What the view says of the server and its models should be of now.
    void this.#services.facts.ask();
  }

  /** Brings the view up and shows a conversation of the history. */
  async openConversation(id: ConversationId): Promise<void> {
    const opened = await this.#registry.open(id);
    if (opened.ok) await this.#show(opened.value);
    else
      void vscode.window.showErrorMessage(
        vscode.l10n.t('The conversation cannot be opened. {0}', opened.failure.sentence),
      );
  }

  /** Stops the answer that the shown conversation is writing. */
  async stop(): Promise<void> {
    (await this.#shown)?.stop();
  }

  /** Summarises what is older in the shown conversation for the model; says in words when that cannot be done. */
  async compact(): Promise<void> {
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
    const session = await this.#session;
    const reply = await session?.compact({ conversationId: session.live.id });
    if (reply?.ok === false) void vscode.window.showInformationMessage(reply.message);
  }

  /** Whether the person can see the view now. */
  get isVisible(): boolean {
    return this.#view?.visible === true;
  }

  #onScreen(visible: boolean): void {
    this.#services.facts.watch(visible);
    this.#services.watch.onScreen = visible;
  }

  async #show(live: LiveConversation): Promise<void> {
    const before = await this.#shown;
    this.#shown = Promise.resolve(live);
    this.#memory.shown = live.id;
    const session = await this.#session;
    session?.show(live);
    this.#nameAfter(live);
    if (before !== undefined && before !== live) this.#registry.release(before);
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
  }

  /** What the window showed last; else the newest of the folder; else a new one. */
  #firstShown(): Promise<LiveConversation> {
    this.#shown ??= this.#findFirst();
    return this.#shown;
  }

  async #findFirst(): Promise<LiveConversation> {
    const workspace = identityOf(currentFolder());
    const newest = this.#memory.shown === undefined ? await this.#registry.newest(workspace) : undefined;
    if (newest?.ok === false) return this.#whileUnreadable(workspace, newest.failure);
    const id = this.#memory.shown ?? newest?.value;
    const opened = id === undefined ? undefined : await this.#registry.open(id);
    if (opened?.ok === true) return opened.value;
    if (opened?.failure.kind === 'unreadable') return this.#whileUnreadable(workspace, opened.failure.sentence);
    // One that was never used comes back as itself, with what stands in its composer.
    const live = this.#registry.create(workspace, undefined, id);
    this.#memory.shown = live.id;
    return live;
  }

  /** What was shown last stays remembered: it is shown when the window is opened again. */
  #whileUnreadable(workspace: WorkspaceIdentity, sentence: string): LiveConversation {
    this.#cannotRead(sentence);
    return this.#registry.create(workspace, undefined);
  }

  #cannotRead(sentence: string): void {
    const words = vscode.l10n.t(
      'The history cannot be read now. {0} You can chat; it is written when that works again.',
      sentence,
    );
    void vscode.window.showWarningMessage(words);
  }

  #nameAfter(live: LiveConversation): void {
    this.#stopTitle?.();
    const rename = (): void => {
      const { title } = live.transcript.conversation;
      if (this.#view !== undefined) this.#view.title = title === '' ? vscode.l10n.t('Chat') : title;
    };
    rename();
    this.#stopTitle = live.listen({
      event: (event) => {
        if (event.type === 'conversation_changed') rename();
      },
      status: () => undefined,
      replaced: rename,
    });
  }

  /** Handlers are registered once: a view can be resolved again. */
  #serve(): void {
    const on = this.#messenger;
    on.serve(readyRequest, readySchema, (params) => this.#with((session) => session.ready(params)));
    on.hear(
      renderedNotification,
      renderedSchema,
      (params) => void this.#session?.then((session) => session.rendered(params)),
    );
    on.serve(olderPageRequest, olderPageSchema, (params) => this.#with((session) => session.olderPage(params)));
    on.serve(fetchPartRequest, fetchPartSchema, (params) => this.#with((session) => session.fetchPart(params)));
    on.serve(sendRequest, sendSchema, (params) => this.#with((session) => session.send(params)));
    on.serve(stopRequest, conversationSchema, (params) => this.#with((session) => session.stop(params)));
    on.serve(retryRequest, conversationSchema, (params) => this.#with((session) => session.retry(params)));
    on.serve(chooseModelRequest, chooseModelSchema, (params) => this.#with((session) => session.chooseModel(params)));
    on.serve(sendQueuedRequest, queuedSchema, (params) => this.#with((session) => session.sendQueued(params)));
    on.serve(unqueueRequest, queuedSchema, (params) => this.#with((session) => session.unqueue(params)));
    on.serve(moveQueuedRequest, moveQueuedSchema, (params) => this.#with((session) => session.moveQueued(params)));
    on.serve(compactRequest, conversationSchema, (params) => this.#with((session) => session.compact(params)));
    on.serve(continueHereRequest, conversationSchema, (params) =>
      this.#with((session) => session.continueHere(params)),
    );
    on.serve(forkRequest, conversationSchema, (params) => this.#with((session) => this.#fork(session, params)));
    on.hear(draftNotification, draftSchema, (params) => void this.#session?.then((session) => session.draft(params)));
    on.serve(trySaveRequest, conversationSchema, (params) => this.#with((session) => session.trySave(params)));
    on.serve(tryServerRequest, nothingSchema, async () => {
      await this.#services.facts.ask();
      return { ok: true };
    });
    on.serve(pullRequest, modelSchema, (params) => this.#with((session) => session.pull(params)));
    on.serve(cancelPullRequest, modelSchema, (params) => this.#with((session) => session.cancelPull(params)));
    on.serve(useHostRequest, useHostSchema, (params) => this.#with((session) => session.useHost(params)));
    on.serve(openLinkRequest, openLinkSchema, async ({ href }) => {
      const live = await this.#shown;
      return openLink(href, live === undefined ? undefined : folderOf(live.workspace)?.uri);
    });
    on.serve(runCommandRequest, runCommandSchema, async ({ command }) => {
      await vscode.commands.executeCommand(`holdfast.${command}`);
      return { ok: true };
    });
  }

  async #fork(session: ViewSession, { conversationId }: ConversationParams): Promise<Reply> {
    const { live } = session;
    if (live.id !== conversationId) return { ok: false, message: 'This view shows another conversation now.' };
    await this.#show(this.#registry.fork(live));
    return { ok: true };
  }

  async #with<T>(action: (session: ViewSession) => T | Promise<T>): Promise<T> {
    const session = await this.#session;
    if (session === undefined) throw new Error('a page without a session asked');
    return action(session);
  }
}
