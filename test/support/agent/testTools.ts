import * as z from 'zod';
import type { Action } from '../../../src/extension/tools/action';
import { defineTool } from '../../../src/extension/tools/defineTool';
import { refused, type Tool } from '../../../src/extension/tools/tool';

/** Tools over a folder in memory, which note what is done with them. */
export class TestFolder {
  /** What was done, in order: `read a.ts`, `write a.ts`, `wrote a.ts`. */
  readonly done: string[] = [];
  readonly files: Map<string, string>;
  /** Awaited within each read and write. */
  pause: (path: string) => Promise<void> = () => Promise.resolve();

  constructor(
    files: Readonly<Record<string, string>> = { 'a.ts': 'export const a = 1', 'b.ts': 'export const b = 2' },
  ) {
    this.files = new Map(Object.entries(files));
  }

  get tools(): readonly Tool[] {
    return [this.readFile, this.writeFile];
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
        run: async () => {
          this.done.push(`write ${path}`);
          await this.pause(path);
          this.files.set(path, content);
          this.done.push(`wrote ${path}`);
          return { ok: true, content: 'Written.', summary: 'written' };
        },
      }),
  });
}
