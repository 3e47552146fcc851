/**
 * Where the host writes what a maintainer needs. Lines carry no words of a conversation: ids, counts, reasons and the
 * names of files of ours only.
 */
export interface Log {
  info(line: string): void;
  warn(line: string): void;
  error(line: string, error?: unknown): void;
  /** A log whose lines start with `topic`. */
  sub(topic: string): Log;
}

/** Keeps quiet: for tests and tools. */
export const silentLog: Log = { info() {}, warn() {}, error() {}, sub: () => silentLog };
