import type { NotificationType, RequestType } from 'vscode-messenger-common';
import type { Frame } from '../../protocol/frame';
import type { Reply } from '../../protocol/wire';
import type { HostPort } from '../host/hostPort';

/** A word of the page to its host. */
export interface Said {
  readonly method: string;
  readonly params: unknown;
}

/** A host in memory: it keeps what the page says, and says what a test tells it to. */
export class FakeHost implements HostPort {
  readonly asked: Said[] = [];
  readonly told: Said[] = [];
  /** What a request is answered with. */
  reply: (said: Said) => Reply | Promise<Reply> = () => ({ ok: true });
  state: unknown;
  #listener: ((frame: Frame) => void) | undefined;

  ask<P>(type: RequestType<P, Reply>, params: P): Promise<Reply> {
    const said = { method: type.method, params };
    this.asked.push(said);
    return Promise.resolve(this.reply(said));
  }

  tell<P>(type: NotificationType<P>, params: P): void {
    this.told.push({ method: type.method, params });
  }

  onFrame(listener: (frame: Frame) => void): void {
    this.#listener = listener;
  }

  readState(): unknown {
    return this.state;
  }

  writeState(state: unknown): void {
    this.state = structuredClone(state);
  }

  /** Sends a frame to the page. */
  emit(...frames: readonly Frame[]): void {
    for (const frame of frames) this.#listener?.(frame);
  }

  /** What was asked with `method`, oldest first. */
  askedFor(method: string): readonly unknown[] {
    return this.asked.filter((said) => said.method === method).map((said) => said.params);
  }
}
