import type { RequestType } from 'vscode-messenger-common';
import { cancelPullRequest, pullRequest, tryServerRequest, useHostRequest, type Reply } from '../../protocol/wire';
import type { HostPort } from '../host/hostPort';
import { strings } from '../strings';

/** What a person can do about the server of models and what it holds. */
export class ServerActions {
  readonly #host: HostPort;
  readonly #report: (reply: Reply, lead: string) => void;

  /** `report` says what was not done, and why. */
  constructor(host: HostPort, report: (reply: Reply, lead: string) => void) {
    this.#host = host;
    this.#report = report;
  }

  tryAgain(): Promise<void> {
    return this.#ask(tryServerRequest, undefined, strings.notTried);
  }

  use(host: string): Promise<void> {
    return this.#ask(useHostRequest, { host }, strings.notTried);
  }

  /** How it goes on is told in the facts of the window. */
  pull(model: string): Promise<void> {
    return this.#ask(pullRequest, { model }, strings.notPulled);
  }

  /** Also takes a failed try off the list. */
  cancelPull(model: string): Promise<void> {
    return this.#ask(cancelPullRequest, { model }, strings.notCancelled);
  }

  async #ask<P>(type: RequestType<P, Reply>, params: P, lead: string): Promise<void> {
    this.#report(await this.#host.ask(type, params), lead);
  }
}
