import { signal, type ReadonlySignal } from '@preact/signals';
import type { Frame } from '../../protocol/frame';
import { applyFrame, askedAgain, waitingView, type ViewState } from '../../protocol/hydration';
import type { HelloId } from '../../protocol/ids';
import { readyRequest, renderedNotification } from '../../protocol/wire';
import type { HostPort } from '../host/hostPort';
import { HELLO_RETRY_MS, RENDERED_EVERY_MS } from '../limits';
import { nextFrame } from './nextFrame';

/** Holds what the host told: takes frames once per paint, asks again when something is missing, acknowledges. */
export class Hydration {
  readonly #host: HostPort;
  readonly #onPageLost: () => void;
  readonly #state = signal<ViewState>(waitingView(newHello()));
  #frames: Frame[] = [];
  #retry: ReturnType<typeof setTimeout> | undefined;
  #acknowledging: ReturnType<typeof setTimeout> | undefined;
  #acknowledgedAt = 0;

  /** `onPageLost`: an older page came too late to be used and has to be asked for again. */
  constructor(host: HostPort, onPageLost: () => void) {
    this.#host = host;
    this.#onPageLost = onPageLost;
  }

  get state(): ReadonlySignal<ViewState> {
    return this.#state;
  }

  start(): void {
    this.#host.onFrame((frame) => {
      this.#frames.push(frame);
      if (this.#frames.length === 1) nextFrame(() => this.#applyAll());
    });
    this.#sayReady();
  }

  #applyAll(): void {
    const frames = this.#frames;
    this.#frames = [];
    let state = this.#state.value;
    let ask = false;
    let pageLost = false;
    for (const frame of frames) {
      const applied = applyFrame(state, frame);
      state = applied.state;
      ask ||= applied.ask === true;
      pageLost ||= applied.retryPage === true;
    }
    this.#state.value = ask ? askedAgain(state, newHello()) : state;
    if (ask) this.#sayReady();
    else if (state.answered) clearTimeout(this.#retry);
    if (pageLost) this.#onPageLost();
    this.#acknowledge();
  }

  #sayReady(): void {
    clearTimeout(this.#retry);
    // The same id again: a host slower than our patience must still be able to answer.
    this.#retry = setTimeout(() => this.#sayReady(), HELLO_RETRY_MS);
    void this.#host.ask(readyRequest, { hello: this.#state.value.hello });
  }

  #acknowledge(): void {
    if (this.#acknowledging !== undefined) return;
    const wait = Math.max(0, this.#acknowledgedAt + RENDERED_EVERY_MS - performance.now());
    this.#acknowledging = setTimeout(() => {
      this.#acknowledging = undefined;
      this.#acknowledgedAt = performance.now();
      const live = this.#state.value.live;
      if (live !== undefined) this.#host.tell(renderedNotification, { stream: live.stream, n: live.have });
    }, wait);
  }
}

function newHello(): HelloId {
  return crypto.randomUUID() as HelloId;
}
