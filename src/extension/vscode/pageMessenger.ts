import type * as vscode from 'vscode';
import { Messenger } from 'vscode-messenger';
import type {
  NotificationType,
  RequestType,
  ResponseError,
  WebviewIdMessageParticipant,
} from 'vscode-messenger-common';
import type { ZodType } from 'zod';
import type { Frame } from '../../protocol/frame';
import { frameNotification, type Reply } from '../../protocol/wire';
import type { Log } from '../base/log';

/** vscode-messenger as this extension uses it: nothing else imports the library's host half. */
export class PageMessenger {
  readonly #messenger: QuietMessenger;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log.sub('messenger');
    this.#messenger = new QuietMessenger(this.#log);
  }

  /** Connects a view; the answer posts frames to it. Unregistered by itself when the view is disposed. */
  register(view: vscode.WebviewView): (frame: Frame) => void {
    const receiver: WebviewIdMessageParticipant = this.#messenger.registerWebviewView(view);
    return (frame) => {
      // A hidden page is gone; it says `ready` when it is shown again.
      if (view.visible) this.#messenger.sendNotification(frameNotification, receiver, frame);
    };
  }

  /** Answers a request of the page. Bad parameters and faults of ours become a sentence, without a stack. */
  serve<Params>(
    type: RequestType<Params, Reply>,
    schema: ZodType<Params>,
    handler: (params: Params) => Reply | Promise<Reply>,
  ): void {
    this.#messenger.onRequest(type, async (params) => {
      const parsed = schema.safeParse(params);
      if (!parsed.success) {
        this.#log.warn(`bad parameters of ${type.method}`);
        return { ok: false, message: 'The page sent something that cannot be understood. Reload the window.' };
      }
      try {
        return await handler(parsed.data);
      } catch (error) {
        this.#log.error(`${type.method} failed`, error);
        return { ok: false, message: 'Something failed inside Holdfast. The log has the details.' };
      }
    });
  }

  /** Takes a notification of the page. */
  hear<Params>(type: NotificationType<Params>, schema: ZodType<Params>, handler: (params: Params) => void): void {
    this.#messenger.onNotification(type, (params) => {
      const parsed = schema.safeParse(params);
      if (parsed.success) handler(parsed.data);
      else this.#log.warn(`bad parameters of ${type.method}`);
    });
  }
}

/** The library prints to the console and sends stacks to the page: here it does neither. */
class QuietMessenger extends Messenger {
  readonly #log: Log;

  constructor(log: Log) {
    super({ ignoreHiddenViews: true, uniqueHandlers: true });
    this.#log = log;
  }

  protected override log(text: string, level?: 'debug' | 'warn' | 'error'): void {
    if (level === 'error' || level === 'warn') this.#log.warn(text);
  }

  protected override createResponseError(error: unknown): ResponseError {
    this.#log.error('a request failed', error);
    return { message: 'The request failed.' };
  }
}
