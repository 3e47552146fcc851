import * as vscode from 'vscode';
import type { ConversationId } from '../../protocol/ids';
import type { Reply } from '../../protocol/wire';
import type { LiveConversation } from '../conversations/liveConversation';
import type { ConversationRegistry } from '../conversations/registry';
import type { FileWatch } from '../conversations/windows/fileWatch';
import { ViewSession, type ViewServices } from '../conversations/view/viewSession';
import { lastChangedTurn } from '../conversations/undo/turnChanges';
import { WaitingCalls, type WaitingCall } from '../conversations/leave/waiting';
import type { WorkspaceIdentity } from '../storage/change';
import { CHAT_VIEW } from './chatViewId';
import { currentFolder, identityOf } from './folder';
import { pageHtml, pageRoots } from './html';
import type { Memory } from './memory';
import { pickMode } from './modePicker';
import type { PageMessenger } from './pageMessenger';
import { servePage } from './pageRequests';
import { undoFileChanges } from './undoFileChanges';
import { tellOfWaiting, waitingBadge } from './waitingNotice';

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
  readonly #waiting = new WaitingCalls((calls, fresh) => this.#tellOfWaiting(calls, fresh));
  #badge: vscode.ViewBadge | undefined;

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
    servePage(messenger, {
      services,
      session: () => this.#session,
      fork: (live) => this.#show(registry.fork(live)),
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const post = this.#messenger.register(view);
    const session = this.#firstShown().then((live) => new ViewSession(this.#services, { post }, live));
    this.#session = session;
    view.badge = this.#badge;
    void session.then(({ live }) => this.#present(live));
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

  /** Lets the person choose how much may be done in the shown conversation without asking. */
  async chooseMode(): Promise<void> {
    const live = await this.#firstShown();
    const mode = await pickMode(live.status.mode);
    const reply = mode === undefined ? undefined : live.setMode(mode);
    if (reply?.ok === false) void vscode.window.showInformationMessage(reply.message);
  }

  /** Takes back what the newest turn of the shown conversation changed in files. */
  async undoLastFileChanges(): Promise<void> {
    const live = await this.#firstShown();
    const turn = lastChangedTurn(live.transcript.messages);
    const reply: Reply =
      turn === undefined
        ? { ok: false, message: 'There is no change of a file left to undo here.' }
        : await undoFileChanges(live, { seq: turn.toSeq, how: 'undo' }, this.#services.store.reader);
    if (!reply.ok) void vscode.window.showInformationMessage(reply.message);
  }

  /** Something goes on in a conversation, shown or not: what waits in it is told of. */
  follow(live: LiveConversation): void {
    this.#waiting.follow(live);
  }

  dispose(): void {
    this.#waiting.dispose();
    this.#stopTitle?.();
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
    this.#present(live);
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

  /** What the editor shows around the page: title, mode, and how many calls wait. */
  #present(live: LiveConversation): void {
    this.#stopTitle?.();
    const rename = (): void => {
      const { title } = live.transcript.conversation;
      if (this.#view !== undefined) this.#view.title = title === '' ? vscode.l10n.t('Chat') : title;
    };
    const describe = (): void => {
      if (this.#view !== undefined) this.#view.description = live.status.mode === 'bypass' ? 'Bypass' : '';
    };
    rename();
    describe();
    this.#stopTitle = live.listen({
      event: (event) => {
        if (event.type === 'conversation_changed') rename();
      },
      status: describe,
      replaced: () => {
        rename();
        describe();
      },
    });
    this.#waiting.show(live);
  }

  #tellOfWaiting(calls: readonly WaitingCall[], fresh: readonly WaitingCall[]): void {
    this.#badge = waitingBadge(calls);
    if (this.#view !== undefined) this.#view.badge = this.#badge;
    if (this.isVisible) return;
    for (const call of fresh) void tellOfWaiting(call, (id) => this.openConversation(id));
  }
}
