/** Modules and programs of `test/`, bundled so that this Node can run them. */
import { rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { ROOT } from './paths.mjs';

/**
 * Bundles modules and programs into a folder below the root, where their packages are found, and loads the modules by
 * their names. Paths are as seen from the root; the programs are left there for whoever starts them.
 *
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} modules
 * @param {Readonly<Record<string, string>>} [programs]
 * @returns {Promise<unknown>} the modules by name; what each exports is the caller's to say
 */
export async function loadBundles(folder, modules, programs = {}) {
  const esbuild = await import('esbuild');
  await rm(folder, { recursive: true, force: true });
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: { ...modules, ...programs },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  const loaded = Object.keys(modules).map(async (name) => [
    name,
    await import(pathToFileURL(`${folder}/${name}.mjs`).href),
  ]);
  return Object.fromEntries(await Promise.all(loaded));
}
