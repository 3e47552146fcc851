import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationId } from '../../src/protocol/ids';
import { BenchHistory } from './history';
import { workloadMessages } from './workload';

/** A history file, closed, whose one conversation holds the first messages of the workload. */
export interface SeededFile {
  readonly folder: string;
  readonly conversationId: ConversationId;
  readonly messages: number;
}

/** So many messages are given to the writer at once: it commits them together. */
const SEED_BATCH = 500;

/** Folders and history files of one bench. Each length is written once and copied from then on. */
export class SeededFiles {
  readonly #base: string;
  readonly #seeds = new Map<number, Promise<SeededFile>>();

  /** `base` must lie on a disk: in memory a sync would cost nothing. It is made when it is missing. */
  constructor(base: string) {
    this.#base = base;
  }

  async newFolder(): Promise<string> {
    await mkdir(this.#base, { recursive: true });
    return mkdtemp(join(this.#base, 'files-'));
  }

  /** A file of the caller's own with so many messages. */
  async copyOf(messages: number): Promise<SeededFile> {
    const seed = this.#seeds.get(messages) ?? this.#seed(messages);
    this.#seeds.set(messages, seed);
    const { conversationId, folder: from } = await seed;
    const folder = await this.newFolder();
    await cp(from, folder, { recursive: true });
    return { folder, conversationId, messages };
  }

  async removeAll(): Promise<void> {
    await rm(this.#base, { recursive: true, force: true });
  }

  async #seed(messages: number): Promise<SeededFile> {
    const folder = await this.newFolder();
    const history = await BenchHistory.create(folder);
    for (let seq = 1; seq <= messages; seq += SEED_BATCH) {
      const batch = workloadMessages(seq, Math.min(SEED_BATCH, messages - seq + 1));
      await Promise.all(batch.map((message) => history.append(message)));
    }
    await history.close();
    return { folder, conversationId: history.conversationId, messages };
  }
}
