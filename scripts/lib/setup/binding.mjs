/**
 * The SQLite binding, compiled against a newer SQLite than the one it brings.
 *
 * `@vscode/sqlite3` bundles SQLite 3.39.4, which can corrupt a WAL file that several processes write (fixed in 3.51.3), and
 * several windows on one file is what Holdfast does. The sources come from `better-sqlite3`, a devDependency that serves
 * nothing else.
 */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { command, npm, which } from '../command.mjs';
import { fromCache, fromRoot } from '../paths.mjs';
import { Trouble } from '../say.mjs';

/** What `select sqlite_version()` must answer. */
const SQLITE_VERSION = '3.53.2';
/** The same in the form of SQLite's file names; `build:binding` in package.json repeats it. */
const SQLITE_NUMBER = '3530200';

const SOURCES = fromRoot('node_modules', 'better-sqlite3', 'deps', 'sqlite3');
const SOURCE_FILES = ['sqlite3.c', 'sqlite3.h', 'sqlite3ext.h'];
const PACKAGE = fromRoot('node_modules', '@vscode', 'sqlite3');
const BUILT = join(PACKAGE, 'build', 'Release', 'vscode-sqlite3.node');
/** Says from which inputs `BUILT` was made. */
const STAMP = join(PACKAGE, 'build', 'holdfast-inputs');

/**
 * Compiles the binding unless this has been done from the same inputs before.
 * @param {(what: string) => void} tell called once, before anything that takes time
 */
export async function setUpBinding(tell) {
  const inputs = await hashInputs();
  const kept = fromCache('binding', inputs, 'vscode-sqlite3.node');
  if (existsSync(BUILT) && (await readText(STAMP)) === inputs) return;

  if (existsSync(kept)) {
    tell('copying the SQLite binding that was compiled before');
  } else {
    tell(`compiling the SQLite binding against SQLite ${SQLITE_VERSION}, about a minute`);
    await compile();
    await mkdir(dirname(kept), { recursive: true });
    await copyFile(BUILT, kept);
  }
  await mkdir(dirname(BUILT), { recursive: true });
  await copyFile(kept, BUILT);
  await verify().catch(async (error) => {
    await rm(dirname(kept), { recursive: true, force: true });
    throw error;
  });
  await writeFile(STAMP, inputs);
}

/** A hash of everything the compiled file depends on. */
async function hashInputs() {
  const files = [
    ...SOURCE_FILES.map((name) => join(SOURCES, name)),
    ...['package.json', 'binding.gyp', 'deps/sqlite3.gyp', 'deps/common-sqlite.gypi'].map((name) =>
      join(PACKAGE, name),
    ),
    ...(await readdir(join(PACKAGE, 'src'))).sort().map((name) => join(PACKAGE, 'src', name)),
  ];
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${libc()}`);
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

/** A binary for glibc does not load under musl (Alpine). */
function libc() {
  if (process.platform !== 'linux') return '';
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return header.glibcVersionRuntime ? 'glibc' : 'musl';
}

async function compile() {
  assertCompiler();
  await packSources();
  const args = ['run', 'build:binding', '--', '--jobs=max'];
  const headers = join(dirname(dirname(process.execPath)), 'include', 'node', 'node.h');
  // Without this node-gyp downloads the headers, even when they lie beside the running node.
  if (existsSync(headers)) args.push(`--nodedir=${dirname(dirname(process.execPath))}`);
  const { code, output } = await npm(args);
  if (code !== 0 || !existsSync(BUILT)) {
    throw new Trouble(`The SQLite binding could not be compiled:\n${lastLines(output, 40)}\n${compilerHelp()}`);
  }
}

/** Puts the newer sources where the binding's build looks for `sqlite-autoconf-<version>.tar.gz`. */
async function packSources() {
  await mkdir(fromCache(), { recursive: true });
  const staging = await mkdtemp(fromCache('sqlite-'));
  try {
    const name = `sqlite-autoconf-${SQLITE_NUMBER}`;
    await mkdir(join(staging, name));
    for (const file of SOURCE_FILES) await copyFile(join(SOURCES, file), join(staging, name, file));
    const { code, output } = await command('tar', ['-czf', `${name}.tar.gz`, name], { cwd: staging });
    if (code !== 0) throw new Trouble(`tar could not pack the SQLite sources: ${output}`);
    await copyFile(join(staging, `${name}.tar.gz`), join(PACKAGE, 'deps', `${name}.tar.gz`));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function compilerHelp() {
  if (process.platform === 'darwin') return 'It needs the command line tools of Xcode: xcode-select --install';
  if (process.platform === 'win32') {
    return 'It needs Python 3 and the Visual Studio Build Tools with "Desktop development with C++".';
  }
  return (
    'It needs a C++ compiler, make and Python 3. Debian or Ubuntu: sudo apt-get install build-essential python3. ' +
    'Fedora: sudo dnf install gcc-c++ make python3. Alpine: sudo apk add build-base python3.'
  );
}

function assertCompiler() {
  // On Windows node-gyp finds Visual Studio by itself, and it is not on the PATH.
  if (process.platform === 'win32') return;
  const missing = [
    { what: 'a C++ compiler (c++)', names: [process.env.CXX ?? 'c++', 'g++', 'clang++'] },
    { what: 'make', names: ['make', 'gmake'] },
    { what: 'Python 3 (python3)', names: [process.env.PYTHON ?? 'python3', 'python'] },
  ]
    .filter(({ names }) => !names.some((name) => existsSync(name) || which(name)))
    .map(({ what }) => what);
  if (missing.length > 0) {
    throw new Trouble(
      `The SQLite binding must be compiled, and this is missing: ${missing.join(', ')}.\n${compilerHelp()}\nThen run the same command again.`,
    );
  }
}

/** Loads the compiled file in a process of its own (a bad one can crash it) and asks for what Holdfast relies on. */
async function verify() {
  const question = `
    const { Database } = require(${JSON.stringify(PACKAGE)});
    const db = new Database(':memory:', (error) => {
      if (error) throw error;
      db.get("select sqlite_version() v, jsonb('{}') is not null j, sqlite_compileoption_used('ENABLE_FTS5') f", (error, row) => {
        if (error) throw error;
        console.log(row.v, row.j, row.f);
      });
    });`;
  const { stdout, output } = await command(process.execPath, ['-e', question], { timeout: 20_000 });
  const expected = `${SQLITE_VERSION} 1 1`;
  if (stdout.trim() !== expected) {
    throw new Trouble(
      `The compiled SQLite binding answers "${output.trim()}" where "${expected}" (version, jsonb, FTS5) is expected. ` +
        'Run npm ci and the same command again.',
    );
  }
}

/** @param {string} path */
const readText = (path) => readFile(path, 'utf8').catch(() => undefined);

/** @param {string} text @param {number} count */
const lastLines = (text, count) => text.trimEnd().split('\n').slice(-count).join('\n');
