import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** The pipe to the parent: standard output would be made non-blocking by whoever touches `process.stdout`. */
const TO_PARENT = 3;

const never = new Int32Array(new SharedArrayBuffer(4));

/** Hands a line over before it returns, so that a kill right afterwards loses nothing. */
export function tell(line: object): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(TO_PARENT, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(never, 0, 0, 1); // The pipe is full: the parent is behind.
    }
  }
}

/** Lines of the parent. When the parent is gone, this process has nothing to live for. */
export function listen<Line>(heard: (line: Line) => void): void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => heard(JSON.parse(line) as Line));
  lines.on('close', () => process.exit(1));
}
