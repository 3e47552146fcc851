import type { ReadonlySignal } from '@preact/signals';
import type { RequestType } from 'vscode-messenger-common';
import type { LiveView } from '../../protocol/hydration';
import {
  openDiffRequest,
  openFileRequest,
  openOutputRequest,
  undoRequest,
  type CallParams,
  type Reply,
} from '../../protocol/wire';
import { approvalWords } from '../approvalWords';
import type { HostPort } from '../host/hostPort';
import { strings } from '../strings';

/** Where a call stands in the transcript. */
interface Call {
  readonly seq: number;
  readonly idx: number;
}

/** What a person can do with the files and the output of a call. */
export class FileActions {
  readonly #host: HostPort;
  readonly #live: ReadonlySignal<LiveView | undefined>;
  readonly #report: (reply: Reply, lead: string) => void;
  readonly #say: (words: string) => void;

  /** `report` says what was not done, and why; `say` what was. */
  constructor(
    host: HostPort,
    live: ReadonlySignal<LiveView | undefined>,
    report: (reply: Reply, lead: string) => void,
    say: (words: string) => void,
  ) {
    this.#host = host;
    this.#live = live;
    this.#report = report;
    this.#say = say;
  }

  openDiff(call: Call): Promise<void> {
    return this.#ask(openDiffRequest, call);
  }

  openFile(call: Call): Promise<void> {
    return this.#ask(openFileRequest, call);
  }

  openOutput(call: Call): Promise<void> {
    return this.#ask(openOutputRequest, call);
  }

  /** Takes back what a turn changed in files, or makes it again. With `idx`, only what this call changed. */
  async undo(how: 'undo' | 'redo', { seq, idx }: { readonly seq: number; readonly idx?: number }): Promise<void> {
    const conversationId = this.#live.value?.transcript.conversation.id;
    if (conversationId === undefined) return;
    const only = idx === undefined ? {} : { idx };
    const reply = await this.#host.ask(undoRequest, { conversationId, seq, how, ...only });
    const words = approvalWords.undo;
    this.#report(reply, how === 'undo' ? words.notUndone : words.notRedone);
    if (reply.ok) this.#say(how === 'undo' ? words.undone : words.redone);
  }

  async #ask(type: RequestType<CallParams, Reply>, { seq, idx }: Call): Promise<void> {
    const conversationId = this.#live.value?.transcript.conversation.id;
    if (conversationId === undefined) return;
    this.#report(await this.#host.ask(type, { conversationId, seq, idx }), strings.notOpened);
  }
}
