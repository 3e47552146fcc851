import type { NotificationType, RequestType } from 'vscode-messenger-common';
import type { Frame } from '../../protocol/frame';
import type { Reply } from '../../protocol/wire';

/** All that the page knows of the outside. Behind it is VS Code, or a fake: the page also runs in a plain browser. */
export interface HostPort {
  /** Never rejects: a request that nobody answered is `ok: false` as well. */
  ask<P>(type: RequestType<P, Reply>, params: P): Promise<Reply>;
  tell<P>(type: NotificationType<P>, params: P): void;
  /** Frames in the order in which the host sent them. One listener; frames that come before it are lost. */
  onFrame(listener: (frame: Frame) => void): void;
  /** What {@link writeState} kept last, in this or an earlier life of the page. */
  readState(): unknown;
  writeState(state: unknown): void;
}
