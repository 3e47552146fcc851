import * as z from 'zod';
import type { FileState } from '../../../src/extension/base/fileVersion';
import type { Action } from '../../../src/extension/tools/action';
import { defineTool } from '../../../src/extension/tools/defineTool';
import { refused, type CallRun, type Tool } from '../../../src/extension/tools/tool';

/** Tools over a folder in memory, which note what is done with them. */
export class TestFolder {
  /** What was done, in order: `read a.ts`, `write a.ts`, `wrote a.ts`, `run npm test`. */
  readonly done: string[] = [];
  readonly files: Map<string, string>;
  /** Awaited within each read, write and command. */
  pause: (what: string, run?: CallRun) => Promise<void> = () => Promise.resolve();

  constructor(
    files: Readonly<Record<string, string>> = { 'a.ts': 'export const a = 1', 'b.ts': 'export const b = 2' },
  ) {
    this.files = new Map(Object.entries(files));
  }

  get tools(): readonly Tool[] {
    return [this.readFile, this.writeFile];
  }

  /** Also those that ask in other ways. */
  get allTools(): readonly Tool[] {
    return [...this.tools, this.readOutside, this.runCommand];
  }

  #writing(path: string): Action {
    const exists = this.files.has(path);
    const place = { real: `/${path}`, root: '/', shown: path, outside: false, exists };
    const kind = exists ? 'changed' : 'created';
    return { kind: 'edit', place, change: { path, kind, added: 1, removed: 0, hunks: [], hunksLeftOut: 0 } };
  }

  readonly readFile = defineTool({
    name: 'read_file',
    description: 'Reads a file.',
    schema: z.object({ path: z.string(), limit: z.int().optional(), lines: z.array(z.int()).optional() }),
    example: { path: 'src/app.ts' },
    readOnly: true,
    run: async ({ path }) => {
      this.done.push(`read ${path}`);
      await this.pause(path);
      const content = this.files.get(path);
      return content === undefined
        ? refused(`There is no ${path}.`, 'not found')
        : { ok: true, content, summary: 'read' };
    },
  });

  readonly writeFile = defineTool({
    name: 'write_file',
    description: 'Writes a file.',
    schema: z.object({ path: z.string(), content: z.string() }),
    example: { path: 'src/app.ts', content: '' },
    readOnly: false,
    plan: ({ path, content }) =>
      Promise.resolve({
        kind: 'ready',
        action: this.#writing(path),
        version: { path: `/${path}`, before: stateOf(this.files.get(path)), after: stateOf(content) },
        run: async (run) => {
          this.done.push(`write ${path}`);
          await this.pause(path, run);
          if (path.startsWith('locked')) return refused(`${path} cannot be written.`, 'not written');
          this.files.set(path, content);
          this.done.push(`wrote ${path}`);
          return { ok: true, content: 'Written.', summary: 'written' };
        },
      }),
  });

  readonly readOutside = defineTool({
    name: 'read_outside',
    description: 'Reads a file that lies outside.',
    schema: z.object({ path: z.string() }),
    example: { path: '/etc/hosts' },
    readOnly: true,
    plan: ({ path }) =>
      Promise.resolve({
        kind: 'ready',
        action: { kind: 'read', place: { real: path, root: '/w', shown: path, outside: true, exists: true } },
        run: () => {
          this.done.push(`read ${path}`);
          return Promise.resolve({ ok: true, content: `outside ${path}`, summary: 'read' });
        },
      }),
  });

  readonly runCommand = defineTool({
    name: 'run_command',
    description: 'Runs a command.',
    schema: z.object({ command: z.string() }),
    example: { command: 'npm test' },
    readOnly: false,
    plan: ({ command }) =>
      Promise.resolve({
        kind: 'ready',
        action: {
          kind: 'command',
          command,
          cwd: '/w',
          folder: '.',
          outside: false,
          shell: { program: '/bin/sh', name: 'sh', family: 'posix' },
          timeoutMs: 1_000,
          namesIgnored: false,
          guarded: [],
        },
        run: async (run) => {
          this.done.push(`run ${command}`);
          await this.pause(command, run);
          return { ok: true, content: this.files.get('its output') ?? 'Passed.', summary: 'exit 0', exitCode: 0 };
        },
      }),
  });
}

function stateOf(text: string | undefined): FileState | undefined {
  return text === undefined ? undefined : { bytes: Buffer.from(text), mode: 0o644 };
}
