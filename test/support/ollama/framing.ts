/** How the records of an answer are cut into writes. Every write is an HTTP chunk of its own. */
export interface Framing {
  /**
   * `record` (the default): a write for each record; `byte`: a write for each byte;
   * `bytes`: writes of that many bytes; `records`: that many records in a write.
   */
  readonly split?: 'record' | 'byte' | { readonly bytes: number } | { readonly records: number };
  /** What ends a record; default a line feed. */
  readonly lineEnd?: '\n' | '\r\n';
  /** False leaves out the end of the last line, that is of the `done` record or of the error. */
  readonly finalNewline?: boolean;
}

/** Turns records into the bytes of single writes. */
export class Framer {
  private held: Buffer[] = [];

  constructor(readonly framing: Framing) {}

  /** Takes one record as JSON text; returns what is to be written now. */
  push(json: string, isLast = false): Buffer[] {
    const { split = 'record', lineEnd = '\n', finalNewline = true } = this.framing;
    const line = Buffer.from(json + (isLast && !finalNewline ? '' : lineEnd));
    if (split === 'record') return [line];
    if (split === 'byte') return cut(line, 1);
    if ('bytes' in split) return cut(line, split.bytes);
    this.held.push(line);
    return isLast || this.held.length >= split.records ? this.flush() : [];
  }

  /** Returns what was held back in order to merge records. */
  flush(): Buffer[] {
    const held = this.held;
    this.held = [];
    return held.length > 0 ? [Buffer.concat(held)] : [];
  }
}

function cut(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += size) pieces.push(bytes.subarray(start, start + size));
  return pieces;
}
