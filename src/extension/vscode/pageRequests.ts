import * as vscode from 'vscode';
import {
  answerRequest,
  cancelPullRequest,
  chooseModelRequest,
  compactRequest,
  continueHereRequest,
  draftNotification,
  fetchPartRequest,
  forkRequest,
  moveQueuedRequest,
  olderPageRequest,
  openDiffRequest,
  openFileRequest,
  openLinkRequest,
  openOutputRequest,
  pullRequest,
  readyRequest,
  renderedNotification,
  retryRequest,
  runCommandRequest,
  sendQueuedRequest,
  sendRequest,
  setModeRequest,
  stopRequest,
  tryServerRequest,
  trySaveRequest,
  undoRequest,
  unqueueRequest,
  useHostRequest,
  type CallParams,
  type Reply,
} from '../../protocol/wire';
import type { LiveConversation } from '../conversations/liveConversation';
import type { ViewServices, ViewSession } from '../conversations/view/viewSession';
import type { Reader } from '../storage/reading/reader';
import { folderOf } from './folder';
import { openLink } from './links';
import { openDiff, openFile, openOutput } from './openChange';
import type { PageMessenger } from './pageMessenger';
import {
  answerSchema,
  callSchema,
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
  setModeSchema,
  undoSchema,
  useHostSchema,
} from './pageSchemas';
import { undoFileChanges } from './undoFileChanges';

/** What the requests of a page are about. */
export interface AskedPage {
  readonly services: ViewServices;
  /** Of the page that is up; undefined: none is. */
  session(): Promise<ViewSession> | undefined;
  /** Makes a conversation of this window from the one that is shown, and shows it. */
  fork(live: LiveConversation): Promise<void>;
}

const OTHER_CONVERSATION: Reply = { ok: false, message: 'This view shows another conversation now.' };

/** Answers what pages of a view ask. Handlers are registered once: a view can be resolved again. */
export function servePage(on: PageMessenger, page: AskedPage): void {
  const withSession = async (action: (session: ViewSession) => Reply | Promise<Reply>): Promise<Reply> => {
    const session = await page.session();
    if (session === undefined) throw new Error('a page without a session asked');
    return action(session);
  };
  const { reader } = page.services.store;
  serveView(on, page, withSession);
  serveConversation(on, page, withSession);
  serveFiles(on, reader, withSession);
  serveWindow(on, page, withSession);
}

type WithSession = (action: (session: ViewSession) => Reply | Promise<Reply>) => Promise<Reply>;

/** What a view shows. */
function serveView(on: PageMessenger, page: AskedPage, withSession: WithSession): void {
  on.serve(readyRequest, readySchema, (params) => withSession((session) => session.ready(params)));
  on.hear(
    renderedNotification,
    renderedSchema,
    (params) => void page.session()?.then((session) => session.rendered(params)),
  );
  on.serve(olderPageRequest, olderPageSchema, (params) => withSession((session) => session.olderPage(params)));
  on.serve(fetchPartRequest, fetchPartSchema, (params) => withSession((session) => session.fetchPart(params)));
  on.hear(draftNotification, draftSchema, (params) => void page.session()?.then((session) => session.draft(params)));
}

/** What the person wants of a conversation. */
function serveConversation(on: PageMessenger, page: AskedPage, withSession: WithSession): void {
  on.serve(sendRequest, sendSchema, (params) => withSession((session) => session.send(params)));
  on.serve(stopRequest, conversationSchema, (params) => withSession((session) => session.stop(params)));
  on.serve(retryRequest, conversationSchema, (params) => withSession((session) => session.retry(params)));
  on.serve(answerRequest, answerSchema, (params) => withSession((session) => session.answer(params)));
  on.serve(setModeRequest, setModeSchema, (params) => withSession((session) => session.setMode(params)));
  on.serve(chooseModelRequest, chooseModelSchema, (params) => withSession((session) => session.chooseModel(params)));
  on.serve(sendQueuedRequest, queuedSchema, (params) => withSession((session) => session.sendQueued(params)));
  on.serve(unqueueRequest, queuedSchema, (params) => withSession((session) => session.unqueue(params)));
  on.serve(moveQueuedRequest, moveQueuedSchema, (params) => withSession((session) => session.moveQueued(params)));
  on.serve(compactRequest, conversationSchema, (params) => withSession((session) => session.compact(params)));
  on.serve(continueHereRequest, conversationSchema, (params) => withSession((session) => session.continueHere(params)));
  on.serve(trySaveRequest, conversationSchema, (params) => withSession((session) => session.trySave(params)));
  on.serve(forkRequest, conversationSchema, (params) =>
    withSession(async ({ live }) => {
      if (live.id !== params.conversationId) return OTHER_CONVERSATION;
      await page.fork(live);
      return { ok: true };
    }),
  );
}

/** What calls did to files. */
function serveFiles(on: PageMessenger, reader: Reader, withSession: WithSession): void {
  const openers = [
    [openDiffRequest, openDiff],
    [openFileRequest, openFile],
    [openOutputRequest, openOutput],
  ] as const;
  for (const [request, open] of openers) {
    on.serve(request, callSchema, (params: CallParams) =>
      withSession(({ live }) => (live.id === params.conversationId ? open(live, params, reader) : OTHER_CONVERSATION)),
    );
  }
  on.serve(undoRequest, undoSchema, (params) =>
    withSession(({ live }) =>
      live.id === params.conversationId ? undoFileChanges(live, params, reader) : OTHER_CONVERSATION,
    ),
  );
}

/** What is the same for every conversation of the window. */
function serveWindow(on: PageMessenger, page: AskedPage, withSession: WithSession): void {
  on.serve(tryServerRequest, nothingSchema, async () => {
    await page.services.facts.ask();
    return { ok: true };
  });
  on.serve(pullRequest, modelSchema, (params) => withSession((shown) => shown.pull(params)));
  on.serve(cancelPullRequest, modelSchema, (params) => withSession((shown) => shown.cancelPull(params)));
  on.serve(useHostRequest, useHostSchema, (params) => withSession((shown) => shown.useHost(params)));
  on.serve(openLinkRequest, openLinkSchema, async ({ href }) => {
    const shown = await page.session();
    return openLink(href, shown === undefined ? undefined : folderOf(shown.live.workspace)?.uri);
  });
  on.serve(runCommandRequest, runCommandSchema, async ({ command }) => {
    await vscode.commands.executeCommand(`holdfast.${command}`);
    return { ok: true };
  });
}
