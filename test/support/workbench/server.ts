import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { descendants, endTree, killTree } from './processTree';
import { QUIET_SETTINGS } from './settings';
import { toolPath } from './tools';

/** How long the server may take to listen; it needs 0.1 s. */
const START_TIMEOUT_MS = 20_000;

/** Webviews need a secure context, which plain http has on the own computer only. */
const LOCAL = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token'];

const SILENT = ['--telemetry-level', 'off', '--disable-telemetry', '--disable-experiments'];

/** After a browser has died, its extension host lives on for so long. */
const RECONNECTION_GRACE_S = 10;

export interface ServerOptions {
  /** Holds settings, extensions, storage and logs. Made when missing, kept afterwards. */
  readonly dataDir: string;
  /** User settings, on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of scope `machine`: a workbench that runs in a browser reads those from the server's machine only. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** An extension to install before the start. */
  readonly vsix?: string;
  /** Obeys the test keys in the page's address. Notification toasts never show then, so end-to-end tests leave it out. */
  readonly forMocha?: boolean;
  /** Leave out to have every folder trusted. */
  readonly workspaceTrust?: boolean;
  /** Home of the person, made when missing. Left out: the one of whoever runs this. */
  readonly home?: string;
  /** More environment for the extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface VsCodeServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** The processes that run extensions, one for each open window. */
  readonly extensionHosts: () => readonly number[];
  /** Resolves when the server has ended, wanted or not. */
  readonly ended: Promise<void>;
  /** Ends the server and all it has started. Twice is harmless. */
  readonly stop: () => Promise<void>;
}

/** Starts a real VS Code server for this computer only, on a free port. */
export async function startServer(options: ServerOptions): Promise<VsCodeServer> {
  const { dataDir, vsix, home, env } = options;
  const serverNode = toolPath('serverNode');
  await writeSettings(options);
  const base = [toolPath('vscodeServer'), '--server-data-dir', dataDir, '--accept-server-license-terms'];
  const homeEnvironment = home === undefined ? {} : { HOME: home, USERPROFILE: home };
  if (home !== undefined) await mkdir(home, { recursive: true });
  const environment = { ...process.env, EXTENSIONS_GALLERY: '{}', ...homeEnvironment, ...env };
  if (vsix !== undefined) await install(serverNode, [...base, '--install-extension', vsix, '--force'], environment);

  const child = spawn(
    serverNode,
    [
      ...base,
      ...LOCAL,
      ...SILENT,
      '--reconnection-grace-time',
      String(RECONNECTION_GRACE_S),
      ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
      ...(options.forMocha ? ['--enable-smoke-test-driver'] : []),
    ],
    // A group of its own: Ctrl-C in a terminal then reaches our process alone, which ends this one in order.
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' },
  );
  const pid = child.pid;
  if (pid === undefined) throw new Error(`The VS Code server could not be started: ${serverNode} does not run.`);
  const killAtExit = (): void => killTree(pid);
  process.once('exit', killAtExit);
  const ended = once(child, 'close').then(() => undefined);
  const stop = async (): Promise<void> => {
    await endTree(pid);
    await ended;
    process.off('exit', killAtExit);
  };
  try {
    const port = await listeningPort(child.stdout, child.stderr, ended);
    return {
      url: `http://127.0.0.1:${port}`,
      port,
      pid,
      dataDir,
      extensionHosts: () =>
        descendants(pid)
          .filter(({ commandLine }) => commandLine.includes('--type=extensionHost'))
          .map((each) => each.pid),
      ended,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function writeSettings({ dataDir, settings, machineSettings }: ServerOptions): Promise<void> {
  await mergeSettings(join(dataDir, 'data', 'User'), QUIET_SETTINGS, settings);
  await mergeSettings(join(dataDir, 'data', 'Machine'), {}, machineSettings);
}

/** In a data directory that is kept, what the person has set there stays. */
async function mergeSettings(folder: string, weak: object, strong: object = {}): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'settings.json');
  let kept = {};
  try {
    kept = JSON.parse(await readFile(file, 'utf8')) as object;
  } catch {
    // There is none yet, or it has comments; then it is written anew.
  }
  await writeFile(file, JSON.stringify({ ...weak, ...kept, ...strong }, null, 2));
}

async function install(node: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The extension could not be installed into VS Code:\n${output}`);
}

function listeningPort(
  stdout: NodeJS.ReadableStream,
  stderr: NodeJS.ReadableStream,
  ended: Promise<void>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (what: string): void => reject(new Error(`The VS Code server ${what}:\n${output}`));
    const timer = setTimeout(() => fail(`did not listen within ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS);
    const read = (chunk: unknown): void => {
      output = (output + String(chunk)).slice(-20_000);
      const port = /agent listening on (\d+)/.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    };
    // Reading goes on after the answer: a full pipe would stop the server.
    stdout.on('data', read);
    stderr.on('data', read);
    void ended.then(() => {
      clearTimeout(timer);
      fail('ended at its start');
    });
  });
}
