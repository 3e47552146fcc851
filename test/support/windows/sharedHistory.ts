import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LiveConversation } from '../../../src/extension/conversations/liveConversation';
import { Connection } from '../../../src/extension/storage/connection';
import { OllamaServer, type OllamaServerOptions } from '../ollama/ollamaServer';
import { MODEL } from './liveTalk';
import { TestWindow, type WindowOptions } from './openWindow';

/** A second model, for choosing it. */
export const OTHER_MODEL = 'another';

/** The write lock in another program's hands. */
export interface HeldLock {
  /** What that program writes; in the file when it lets go. */
  run(sql: string): Promise<void>;
  letGo(): Promise<void>;
}

/** A history file, a scripted model server, and as many windows on both as a test opens. */
export class SharedHistory {
  readonly folder: string;
  readonly server: OllamaServer;
  #windows: TestWindow[] = [];

  private constructor(folder: string, server: OllamaServer) {
    this.folder = folder;
    this.server = server;
  }

  static async make(options: OllamaServerOptions = {}): Promise<SharedHistory> {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-windows-'));
    return new SharedHistory(folder, await OllamaServer.start({ models: [MODEL, OTHER_MODEL], ...options }));
  }

  async open(options: WindowOptions = {}): Promise<TestWindow> {
    const window = await TestWindow.open(this.folder, { serverUrl: this.server.url, ...options });
    this.#windows.push(window);
    return window;
  }

  /** The conversation as a new window has it, which knows nothing but the file. */
  async reopened(live: LiveConversation): Promise<LiveConversation> {
    return (await this.open()).see(live);
  }

  async close(window: TestWindow): Promise<void> {
    this.#windows = this.#windows.filter((other) => other !== window);
    await window.close();
  }

  /** Ends a window as a kill does: its lock goes, and nothing more is written. */
  async kill(window: TestWindow): Promise<void> {
    this.#windows = this.#windows.filter((other) => other !== window);
    window.watch.dispose();
    await window.store.close();
  }

  /** Runs SQL as another program would; the rows of the last statement. */
  async sql(...texts: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const connection = await Connection.open(join(this.folder, 'holdfast.db'), 'existing', 2_000);
    try {
      let rows: readonly Readonly<Record<string, unknown>>[] = [];
      for (const text of texts) rows = await connection.exclusive((statements) => statements.all(text));
      return rows;
    } finally {
      await connection.close();
    }
  }

  /** Streamed text that is in the file and not merged yet. */
  async chunks(): Promise<string> {
    const rows = await this.sql('SELECT data FROM part_delta ORDER BY part_id, chunk');
    return rows.map((row) => String(row['data'])).join('');
  }

  /** Another program that takes the write lock of the file and keeps it. */
  async lock(): Promise<HeldLock> {
    const other = await Connection.open(join(this.folder, 'holdfast.db'), 'existing', 5_000);
    await other.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
    return {
      run: (sql) => other.exclusive((statements) => statements.run(sql)),
      letGo: async () => {
        await other.exclusive((statements) => statements.run('COMMIT'));
        await other.close();
      },
    };
  }

  async remove(): Promise<void> {
    for (const window of this.#windows) await window.close();
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
