import type { PartPlace, Recorder } from '../../../src/extension/agent/recorder';
import type { FileVersion, VersionState } from '../../../src/extension/base/fileVersion';
import type { TranscriptEvent } from '../../../src/protocol/event';
import type { ConversationId } from '../../../src/protocol/ids';
import type { Message } from '../../../src/protocol/message';
import type { ContextMeter, RunStep } from '../../../src/protocol/status';
import { fold, type Transcript } from '../../../src/protocol/transcript';

/** A recorder without a file: it folds what happens, and keeps it for a test to look at. */
export class FoldedRecorder implements Recorder {
  /** Everything recorded, oldest first. */
  readonly events: TranscriptEvent[] = [];
  /** What the turn was at, oldest first. */
  readonly steps: RunStep[] = [];
  readonly meters: ContextMeter[] = [];
  /** What was kept of files, oldest first. */
  readonly kept: (PartPlace & { readonly version: FileVersion; readonly state: VersionState })[] = [];
  /** Whether what is recorded could be written. */
  saved = true;
  #transcript: Transcript;
  #watchers: (() => void)[] = [];

  constructor(messages: readonly Message[] = []) {
    this.#transcript = {
      conversation: { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ConversationId, kind: 'chat', title: '', createdAt: 0 },
      messages,
      hasOlder: false,
    };
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** @throws when the event does not fold, which is a fault of whoever records it. */
  record(event: TranscriptEvent): void {
    const folded = fold(this.#transcript, event);
    if (!folded.ok) throw new Error(`does not fold: ${JSON.stringify(event)}`);
    this.events.push(event);
    this.#transcript = folded.transcript;
    this.#look();
  }

  keep(place: PartPlace, version: FileVersion, state: VersionState): void {
    this.kept.push({ ...place, version, state });
  }

  gate(): Promise<boolean> {
    return Promise.resolve(this.saved);
  }

  at(step: RunStep): void {
    this.steps.push(step);
    this.#look();
  }

  context(meter: ContextMeter): void {
    this.meters.push(meter);
  }

  /** Resolves as soon as `condition` holds; looks whenever something is recorded. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        this.#watchers = this.#watchers.filter((watcher) => watcher !== look);
        resolve();
      };
      this.#watchers.push(look);
      look();
    });
  }

  #look(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
