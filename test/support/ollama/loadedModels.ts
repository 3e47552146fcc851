import { fullModelName } from './modelSet';
import type { InstalledModel } from './modelSet';

/** How long a model stays when a request does not say, in milliseconds (Ollama protocol: five minutes). */
export const DEFAULT_KEEP_ALIVE_MS = 300_000;

/** Go's longest duration in milliseconds: what "forever" looks like in `expires_at`. */
const FOREVER_MS = 9_223_372_036_854;

/** A model in memory. */
export interface LoadedModel {
  readonly model: InstalledModel;
  /** The allocated window in tokens. */
  readonly contextLength: number;
  /** Whether it discards old context while it generates. */
  readonly shifts: boolean;
  readonly expiresAt: Date;
}

/** The models that a server holds in memory, as `/api/ps` shows them. */
export class LoadedModels {
  private readonly byName = new Map<string, LoadedModel>();

  constructor(private readonly now: () => Date) {}

  /**
   * Loads a model for a request, or keeps it if it is there with the same window and the same way to shift.
   * @param contextLength wanted window in tokens; never more than the model was trained for
   * @param keepAliveMs negative means forever
   * @returns the allocated window in tokens, and whether something had to be loaded
   */
  use(
    model: InstalledModel,
    contextLength: number,
    keepAliveMs: number,
    shifts = true,
  ): { contextLength: number; wasLoaded: boolean } {
    const allocated = Math.min(contextLength, model.contextLength);
    const wasLoaded = this.has(model, contextLength, shifts);
    const expiresAt = this.expiry(keepAliveMs);
    this.byName.set(fullModelName(model.name), { model, contextLength: allocated, shifts, expiresAt });
    return { contextLength: allocated, wasLoaded };
  }

  /** Whether a request for such a window finds the model ready. */
  has(model: InstalledModel, contextLength: number, shifts = true): boolean {
    const allocated = Math.min(contextLength, model.contextLength);
    return this.list().some(
      (one) => one.model.name === model.name && one.contextLength === allocated && one.shifts === shifts,
    );
  }

  /** Starts the time to live of a model again; nothing happens if it is not in memory. Negative means forever. */
  prolong(model: InstalledModel, keepAliveMs: number): void {
    const name = fullModelName(model.name);
    const loaded = this.byName.get(name);
    if (loaded) this.byName.set(name, { ...loaded, expiresAt: this.expiry(keepAliveMs) });
  }

  /** Takes a model out of memory; nothing happens if it is not there. */
  unload(model: InstalledModel): void {
    this.byName.delete(fullModelName(model.name));
  }

  /** Takes everything out of memory, as when the server ends. */
  clear(): void {
    this.byName.clear();
  }

  /** What is in memory now, the longest remaining life first. */
  list(): LoadedModel[] {
    const time = this.now().getTime();
    return [...this.byName.values()]
      .filter((one) => one.expiresAt.getTime() > time)
      .sort((a, b) => b.expiresAt.getTime() - a.expiresAt.getTime());
  }

  private expiry(keepAliveMs: number): Date {
    return new Date(this.now().getTime() + (keepAliveMs < 0 ? FOREVER_MS : keepAliveMs));
  }
}
