import type { ApprovalAnswer, Mode } from './approval';
import type { NotificationType, RequestType } from 'vscode-messenger-common';
import type { Draft, Frame } from './frame';
import type { ClientId, ConversationId, HelloId, StreamId } from './ids';

/**
 * The words host and page say to each other through vscode-messenger. The page asks (requests, each answered with
 * {@link Reply}); the host only notifies, on one ordered channel, because a notification sent while a request is
 * handled overtakes its response. Nothing of a transcript ever travels as a response.
 */

/** `ok: false` carries a sentence for the person; `offer`: what may help. */
export type Reply = { readonly ok: true } | { readonly ok: false; readonly message: string; readonly offer?: 'fork' };

export const frameNotification: NotificationType<Frame> = { method: 'frame' };

/** The page is up, or noticed that it misses something: a snapshot follows as a frame. */
export interface ReadyParams {
  readonly hello: HelloId;
}
export const readyRequest: RequestType<ReadyParams, Reply> = { method: 'ready' };

/** The page has drawn everything up to event `n`. At most every 100 ms. */
export interface RenderedParams {
  readonly stream: StreamId;
  readonly n: number;
}
export const renderedNotification: NotificationType<RenderedParams> = { method: 'rendered' };

/** Messages older than `beforeSeq`, as a page frame. */
export interface OlderPageParams {
  readonly stream: StreamId;
  readonly beforeSeq: number;
}
export const olderPageRequest: RequestType<OlderPageParams, Reply> = { method: 'olderPage' };

/** A part whole, as a part frame. */
export interface FetchPartParams {
  readonly stream: StreamId;
  readonly seq: number;
  readonly idx: number;
}
export const fetchPartRequest: RequestType<FetchPartParams, Reply> = { method: 'fetchPart' };

/** A message of the person: queued while a turn goes on. A repeated `clientId` does nothing and answers `ok`. */
export interface SendParams {
  readonly conversationId: ConversationId;
  readonly clientId: ClientId;
  readonly text: string;
  readonly images?: readonly SentImage[];
}

/** An image that goes with a message. `data`: standard base64 without a prefix. */
export interface SentImage {
  readonly name: string;
  readonly mediaType: string;
  readonly data: string;
}
export const sendRequest: RequestType<SendParams, Reply> = { method: 'send' };

export interface ConversationParams {
  readonly conversationId: ConversationId;
}
export const stopRequest: RequestType<ConversationParams, Reply> = { method: 'stop' };

/** Takes over a conversation that runs in another window: what that one was writing ends as interrupted. */
export const continueHereRequest: RequestType<ConversationParams, Reply> = { method: 'continueHere' };

/** Makes a conversation of this window from what is there so far, and shows it. The other one stays as it is. */
export const forkRequest: RequestType<ConversationParams, Reply> = { method: 'fork' };

/** A message of the queue. */
export interface QueuedParams {
  readonly conversationId: ConversationId;
  readonly clientId: ClientId;
}
export const unqueueRequest: RequestType<QueuedParams, Reply> = { method: 'unqueue' };

/** Sends a message of the queue now; an answer that is being written is stopped first. */
export const sendQueuedRequest: RequestType<QueuedParams, Reply> = { method: 'sendQueued' };

/** Puts a message of the queue before another one, or last. */
export interface MoveQueuedParams extends QueuedParams {
  readonly before?: ClientId;
}
export const moveQueuedRequest: RequestType<MoveQueuedParams, Reply> = { method: 'moveQueued' };

/** Summarises what is older for the model. The transcript keeps every word. */
export const compactRequest: RequestType<ConversationParams, Reply> = { method: 'compact' };

/** What stands in the composer now; at most every 200 ms. */
export interface DraftParams extends Draft {
  readonly conversationId: ConversationId;
}
export const draftNotification: NotificationType<DraftParams> = { method: 'draft' };

/** Runs the last turn again from its user message; what was answered so far stays in the transcript. */
export const retryRequest: RequestType<ConversationParams, Reply> = { method: 'retry' };

export interface ChooseModelParams {
  readonly conversationId: ConversationId;
  readonly model: string;
}
export const chooseModelRequest: RequestType<ChooseModelParams, Reply> = { method: 'chooseModel' };

/** The person's answer to a call that waits. The first one counts; one that comes too late is refused in words. */
export interface AnswerParams {
  readonly conversationId: ConversationId;
  /** Id of the request. */
  readonly request: string;
  readonly answer: ApprovalAnswer;
}
export const answerRequest: RequestType<AnswerParams, Reply> = { method: 'answer' };

export interface SetModeParams {
  readonly conversationId: ConversationId;
  readonly mode: Mode;
}
export const setModeRequest: RequestType<SetModeParams, Reply> = { method: 'setMode' };

/** A call of the transcript. */
export interface CallParams {
  readonly conversationId: ConversationId;
  readonly seq: number;
  readonly idx: number;
}
/** Shows what a call changed, or would change, in the editor's own view of differences. */
export const openDiffRequest: RequestType<CallParams, Reply> = { method: 'openDiff' };

/** Shows the file that a call is about in an editor. */
export const openFileRequest: RequestType<CallParams, Reply> = { method: 'openFile' };

/** Shows what a call answered in an editor. */
export const openOutputRequest: RequestType<CallParams, Reply> = { method: 'openOutput' };

/**
 * Takes back what a turn changed in files, or makes it again. `seq`: a message of the turn. `idx`: only what this call
 * changed.
 */
export interface UndoParams {
  readonly conversationId: ConversationId;
  readonly seq: number;
  readonly idx?: number;
  readonly how: 'undo' | 'redo';
}
export const undoRequest: RequestType<UndoParams, Reply> = { method: 'undo' };

/** Asks the server again now, instead of at the next regular try. */
export const tryServerRequest: RequestType<undefined, Reply> = { method: 'tryServer' };

/** A model of the server, or one that it can get. */
export interface ModelParams {
  readonly model: string;
}
/** Makes the server get a model. It goes on in the background, and in the facts of the window. */
export const pullRequest: RequestType<ModelParams, Reply> = { method: 'pull' };

/** Stops getting a model, or takes a failed try off the list. What has arrived stays on the server. */
export const cancelPullRequest: RequestType<ModelParams, Reply> = { method: 'cancelPull' };

/** Takes an address that was offered where no server answered. */
export interface UseHostParams {
  readonly host: string;
}
export const useHostRequest: RequestType<UseHostParams, Reply> = { method: 'useHost' };

/** Tries to write what waits now, instead of at the next regular try. */
export const trySaveRequest: RequestType<ConversationParams, Reply> = { method: 'trySave' };

/** A link of the transcript was followed. The host decides what it may open. */
export interface OpenLinkParams {
  readonly href: string;
}
export const openLinkRequest: RequestType<OpenLinkParams, Reply> = { method: 'openLink' };

/** Commands of the extension that the page may start by name. */
export type PageCommand =
  | 'newConversation'
  | 'resumeConversation'
  | 'chooseHost'
  | 'startOllama'
  | 'showLog'
  | 'pullModel'
  | 'openWindowSetting'
  | 'openPermissions';
export interface RunCommandParams {
  readonly command: PageCommand;
}
export const runCommandRequest: RequestType<RunCommandParams, Reply> = { method: 'runCommand' };
