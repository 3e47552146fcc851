import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../support/workbench/tools';

/** Bundles the program of the windows into a folder below the root, where its packages are found. */
export async function buildProgram(folder: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join('test', 'longrun', 'worker.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
}
