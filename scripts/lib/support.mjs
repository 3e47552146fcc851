/** The TypeScript under `test/` that scripts use too, bundled so that this Node can run it. */
import { pathToFileURL } from 'node:url';
import { fromOut, ROOT } from './paths.mjs';

/** @type {import('esbuild').BuildOptions} */
const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'error',
};

/**
 * @typedef {object} Workbench what drives a real VS Code
 * @property {typeof import('../../test/support/workbench/server')} server
 * @property {typeof import('../../test/support/workbench/browser')} browser
 * @property {typeof import('../../test/support/workbench/workbench')} workbench
 * @property {typeof import('../../test/support/workbench/chatPanel')} chatPanel
 * @property {typeof import('../../test/support/workbench/standIn')} standIn
 * @property {typeof import('../../test/support/workbench/processTree')} processTree
 */

/** @returns {Promise<Workbench>} */
export async function loadWorkbench() {
  const names = /** @type {const} */ (['server', 'browser', 'workbench', 'chatPanel', 'standIn', 'processTree']);
  const esbuild = await import('esbuild');
  await esbuild.build({
    ...COMMON,
    entryPoints: names.map((name) => `test/support/workbench/${name}.ts`),
    outdir: 'out/workbench',
    outExtension: { '.js': '.mjs' },
    splitting: true,
  });
  const modules = await Promise.all(
    names.map((name) => import(pathToFileURL(fromOut('workbench', `${name}.mjs`)).href)),
  );
  return /** @type {any} */ (Object.fromEntries(names.map((name, i) => [name, modules[i]])));
}

/** Bundles the stand-in for Ollama to `out/ollama-stand-in.mjs`, a program that runs on its own. */
export async function buildStandIn() {
  const esbuild = await import('esbuild');
  await esbuild.build({
    ...COMMON,
    packages: 'bundle',
    entryPoints: ['test/support/ollama/standalone.ts'],
    outfile: 'out/ollama-stand-in.mjs',
  });
}

/**
 * The server with the protocol of Ollama, and what its answers are written with.
 * @returns {Promise<typeof import('../../test/support/ollama/ollamaServer') & typeof import('../../test/support/ollama/chatStep') & typeof import('../../test/support/ollama/gate')>}
 */
export async function loadOllama() {
  const esbuild = await import('esbuild');
  const names = ['ollamaServer', 'chatStep', 'gate'];
  await esbuild.build({
    ...COMMON,
    entryPoints: names.map((name) => `test/support/ollama/${name}.ts`),
    outdir: 'out/ollama',
    outExtension: { '.js': '.mjs' },
    splitting: true,
  });
  const modules = await Promise.all(names.map((name) => import(pathToFileURL(fromOut('ollama', `${name}.mjs`)).href)));
  return Object.assign({}, ...modules);
}

/** What writes the fixtures of the history file. @returns {Promise<typeof import('../../test/support/history/fixtureHistory')>} */
export async function loadHistory() {
  const esbuild = await import('esbuild');
  const outfile = fromOut('fixture-history.mjs');
  await esbuild.build({ ...COMMON, entryPoints: ['test/support/history/fixtureHistory.ts'], outfile });
  return import(pathToFileURL(outfile).href);
}

/**
 * Bundles the bench to `out/bench/program/`: what measures, and the program of the processes that it starts.
 * @returns {Promise<typeof import('../../test/bench/bench')>}
 */
export async function loadBench() {
  const esbuild = await import('esbuild');
  await esbuild.build({
    ...COMMON,
    entryPoints: ['test/bench/bench.ts', 'test/bench/child.ts'],
    outdir: 'out/bench/program',
    outExtension: { '.js': '.mjs' },
    splitting: true,
  });
  return import(pathToFileURL(fromOut('bench', 'program', 'bench.mjs')).href);
}
