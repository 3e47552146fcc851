import { COMMAND_LINE_BYTES } from '../../base/limits';

const BELL = 0x07;
const BACKSPACE = 0x08;
const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const ESCAPE = 0x1b;
const SPACE = 0x20;
const DELETE = 0x7f;

/** Bytes of a control sequence, and of a text for the terminal (such as a title), after which they are taken for broken. */
const SEQUENCE_BYTES = 64;
const STRING_BYTES = 4_096;

type State = 'text' | 'escape' | 'sequence' | 'string' | 'string_escape';

/**
 * What is printed, as it would be read off a terminal: without control sequences, and with what a carriage return or a
 * backspace overwrites left out. Works on UTF-8 bytes, whose multi-byte characters hold none that mean anything here.
 */
export class TerminalText {
  readonly #commit: (bytes: Uint8Array) => void;
  readonly #line = new Uint8Array(COMMAND_LINE_BYTES);
  #length = 0;
  /** The next character overwrites the line from its beginning on. */
  #returned = false;
  #state: State = 'text';
  /** Bytes of the sequence that has begun, and its parameters. */
  #taken = 0;
  #parameters = '';

  /** @param commit takes what cannot be overwritten any more. The bytes stay as they are. */
  constructor(commit: (bytes: Uint8Array) => void) {
    this.#commit = commit;
  }

  /** The line that has no end yet. Good until the next call. */
  get line(): Uint8Array {
    return this.#line.subarray(0, this.#length);
  }

  /** `chunk` must not be written to afterwards. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      const end = this.#state === 'text' && !this.#returned ? plainEnd(chunk, at) : at;
      if (end > at) {
        this.#plain(chunk.subarray(at, end));
        at = end;
      } else if (this.#step(chunk[at] ?? 0)) {
        at += 1;
      }
    }
  }

  /** Nothing more comes. */
  end(): void {
    this.#commitLine();
  }

  #plain(bytes: Uint8Array): void {
    const lineEnd = bytes.lastIndexOf(NEWLINE) + 1;
    if (lineEnd > 0) {
      this.#commitLine();
      this.#commit(bytes.subarray(0, lineEnd));
    }
    this.#append(bytes.subarray(lineEnd));
  }

  #append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#line.length) this.#commitLine();
    if (bytes.length > this.#line.length) {
      this.#commit(bytes);
      return;
    }
    this.#line.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #commitLine(): void {
    if (this.#length > 0) this.#commit(this.#line.slice(0, this.#length));
    this.#length = 0;
  }

  /** Takes one byte, or answers false when it is to be looked at again in the state that it led to. */
  #step(byte: number): boolean {
    switch (this.#state) {
      case 'text':
        return this.#control(byte);
      case 'escape':
        return this.#escape(byte);
      case 'sequence':
        return this.#sequence(byte);
      case 'string':
        this.#taken += 1;
        if (byte === ESCAPE) this.#state = 'string_escape';
        // One without an end must not swallow all that follows.
        else if (byte === NEWLINE || this.#taken > STRING_BYTES) return this.#leave();
        else if (byte === BELL) this.#state = 'text';
        return true;
      case 'string_escape':
        this.#state = byte === 0x5c ? 'text' : 'escape';
        return byte === 0x5c;
    }
  }

  #control(byte: number): boolean {
    if (byte === RETURN) {
      this.#returned = true;
    } else if (byte === NEWLINE) {
      this.#returned = false;
      this.#append(Uint8Array.of(byte));
      this.#commitLine();
    } else if (byte === ESCAPE) {
      this.#state = 'escape';
      this.#taken = 0;
      this.#parameters = '';
    } else if (byte === BACKSPACE) {
      this.#eraseCharacter();
    } else if (byte === TAB || (byte >= SPACE && byte !== DELETE)) {
      // Only after a return: everything else plain was taken in one piece.
      this.#length = 0;
      this.#returned = false;
      return false;
    }
    return true;
  }

  #escape(byte: number): boolean {
    if (byte < SPACE || byte >= DELETE) return byte === ESCAPE || this.#leave();
    if (byte === 0x5b) {
      this.#state = 'sequence';
    } else if ([0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(byte)) {
      this.#state = 'string';
      this.#taken = 0;
    } else if (byte >= 0x30) {
      this.#state = 'text';
    } else {
      this.#taken += 1;
      if (this.#taken > SEQUENCE_BYTES) return this.#leave();
    }
    return true;
  }

  #sequence(byte: number): boolean {
    if (byte < SPACE || byte >= DELETE || this.#taken >= SEQUENCE_BYTES) return this.#leave();
    this.#taken += 1;
    if (byte < 0x40) {
      this.#parameters += String.fromCharCode(byte);
      return true;
    }
    this.#state = 'text';
    const first = this.#parameters;
    if (byte === 0x4b) {
      // Erase in line: what lies behind the cursor, before it, or all.
      if (first === '1' || first === '2' || this.#returned) this.#length = 0;
    } else if (byte === 0x47 && (first === '' || first === '1')) {
      this.#returned = true;
    }
    return true;
  }

  #leave(): false {
    this.#state = 'text';
    return false;
  }

  #eraseCharacter(): void {
    while (this.#length > 0) {
      this.#length -= 1;
      if (((this.#line[this.#length] ?? 0) & 0xc0) !== 0x80) return;
    }
  }
}

/** Where what needs no care ends, from `start` on. */
function plainEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < SPACE ? byte !== NEWLINE && byte !== TAB : byte === DELETE) return at;
  }
  return bytes.length;
}
