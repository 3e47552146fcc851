import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What one command line did: the argument lists of all programs that it started, their names first. */
export type Started = readonly (readonly string[])[];

/** A real shell in an empty folder, whose PATH holds nothing but programs that write down how they are called. */
export class ShimShell {
  readonly #base = realpathSync(mkdtempSync(path.join(tmpdir(), 'shims-')));
  readonly #log = path.join(this.#base, 'log');
  readonly #cwd = path.join(this.#base, 'cwd');
  readonly #bin = path.join(this.#base, 'bin');

  constructor(programs: readonly string[]) {
    mkdirSync(this.#cwd);
    mkdirSync(this.#bin);
    for (const program of programs) {
      const file = path.join(this.#bin, program);
      // How many arguments, the name, the arguments: so that empty ones are seen, too.
      writeFileSync(file, `#!/bin/sh\nprintf '%s\\0' "$#" "\${0##*/}" "$@" >>'${this.#log}'\n`);
      chmodSync(file, 0o755);
    }
  }

  /** Gives the lines to one shell, one after the other: to start one for each takes many times as long. */
  async runAll(shell: string, lines: readonly string[]): Promise<readonly Started[]> {
    writeFileSync(this.#log, '');
    const script = path.join(this.#base, 'script');
    const evals = lines.map((line) => `printf '@\\0' >>'${this.#log}'\neval ${quoted(line)}\n`);
    writeFileSync(script, `exec </dev/null >/dev/null 2>&1\n${evals.join('')}:\n`);
    await run(shell, [script], { cwd: this.#cwd, env: { PATH: this.#bin } });
    return readLog(readFileSync(this.#log, 'utf8'));
  }

  /** Names of all that lies in the folder in which the lines were run. */
  made(): readonly string[] {
    return readdirSync(this.#cwd);
  }

  dispose(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }
}

function quoted(line: string): string {
  return `'${line.replaceAll("'", String.raw`'\''`)}'`;
}

function readLog(log: string): readonly Started[] {
  const fields = log.split('\0');
  fields.pop();
  const lines: (readonly string[])[][] = [];
  for (let at = 0; at < fields.length;) {
    if (fields[at] === '@') {
      lines.push([]);
      at += 1;
    } else {
      const end = at + 2 + Number(fields[at]);
      lines.at(-1)?.push(fields.slice(at + 1, end));
      at = end;
    }
  }
  return lines;
}
