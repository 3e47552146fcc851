import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { close, constants, open } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { Socket } from 'node:net';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { OUTPUT_NAME } from './outputFolder';

const openFile = promisify(open);
const closeFile = promisify(close);

/** One pipe for all that a command prints, so that it arrives in the order in which it was written. */
export interface OutputPipe {
  readonly reader: Socket;
  /** Descriptor for the command. The reader ends when this one and all copies of it are closed. */
  readonly writer: number;
  closeWriter(): Promise<void>;
}

/**
 * A pipe of the system. Those that Node makes for a child are sockets: with them, `> /dev/stderr` fails, and output and
 * errors arrive out of order. Undefined where it cannot be made.
 */
export async function openOutputPipe(folder: string): Promise<OutputPipe | undefined> {
  const name = path.join(folder, `${OUTPUT_NAME}pipe-${randomUUID()}`);
  let reader: number | undefined;
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', name]);
    reader = await openFile(name, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = await openFile(name, constants.O_WRONLY);
    return {
      reader: new Socket({ fd: reader, readable: true, writable: false }),
      writer,
      closeWriter: () => closeFile(writer),
    };
  } catch {
    if (reader !== undefined) await closeFile(reader);
    return undefined;
  } finally {
    await unlink(name).catch(() => undefined);
  }
}
