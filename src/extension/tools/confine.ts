import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import { failed, succeeded, type Result } from '../base/result';
import { isWithin, misspelt } from './pathSpelling';
import { refused, type ToolOutcome } from './tool';

/** A path that exists inside the root, with every link on its way resolved. */
export interface ConfinedPath {
  /** The real path. Never contains a link, unless someone changed the folders meanwhile: see {@link stillConfined}. */
  readonly real: string;
  /** The real path of the root. */
  readonly root: string;
  /** `real` as seen from the root, with `/` between its steps; `.` for the root itself. */
  readonly shown: string;
}

/**
 * Resolves a path as the model wrote it against the root. The failure is an outcome for the model: nothing outside the
 * root can be named, whichever way it is spelt and whatever links lie in the root. Absolute paths inside are fine.
 */
export async function confine(root: string, written: string): Promise<Result<ConfinedPath, ToolOutcome>> {
  const spelling = misspelt(written);
  if (spelling !== undefined) return failed(refused(spelling, 'bad path'));
  let realRoot: string;
  try {
    realRoot = await realpath(root);
  } catch {
    return failed(refused('The workspace folder cannot be read now.', 'no folder'));
  }
  const wanted = path.resolve(root, written);
  // An absolute path may name the root as it was opened or as it really is.
  const base = [root, realRoot].find((one) => isWithin(one, wanted));
  if (base === undefined) return failed(outside(written));
  const lexical = path.join(realRoot, path.relative(base, wanted));
  let real: string;
  try {
    real = await realpath(lexical);
  } catch (error) {
    return failed((await leadsOutside(realRoot, lexical)) ? outside(written) : unresolved(written, error));
  }
  if (!isWithin(realRoot, real)) return failed(outside(written));
  return succeeded({ real, root: realRoot, shown: path.relative(realRoot, real).split(path.sep).join('/') || '.' });
}

/**
 * Whether the path still resolves to itself. A folder may be replaced by a link while a tool works: whoever uses a
 * path by its name asks again after the use, before showing what was found.
 */
export async function stillConfined(confined: Pick<ConfinedPath, 'real'>): Promise<boolean> {
  try {
    return (await realpath(confined.real)) === confined.real;
  } catch {
    return false;
  }
}

/**
 * Opens a confined file for reading, without ever waiting for a device or pipe. What is opened is checked to be the
 * file at that path, which lies inside the root; undefined when it is not. Throws what opening throws.
 */
export async function openConfined(confined: ConfinedPath): Promise<FileHandle | undefined> {
  const handle = await open(confined.real, constants.O_RDONLY | noFollow | nonBlocking);
  try {
    if (await isFileAt(handle, confined)) return handle;
  } catch {
    // Gone in the meantime: not the file that was meant.
  }
  await handle.close();
  return undefined;
}

/**
 * Whether the open file is the one at the path. Linux says where an open file is, whatever happened to the names since;
 * elsewhere its identity is compared, which leaves a gap for whoever swaps folders twice at the right moments.
 */
export async function isFileAt(handle: FileHandle, confined: Pick<ConfinedPath, 'real'>): Promise<boolean> {
  const opened = process.platform === 'linux' ? await pathOf(handle) : undefined;
  if (opened !== undefined) return opened === confined.real;
  const [held, there] = await Promise.all([handle.stat({ bigint: true }), lstat(confined.real, { bigint: true })]);
  return isSame(held, there) && (await stillConfined(confined));
}

async function pathOf(handle: FileHandle): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    return undefined;
  }
}

// Windows has neither.
const noFollow = constants.O_NOFOLLOW ?? 0;
const nonBlocking = constants.O_NONBLOCK ?? 0;

/** The refusal for what lies outside. It is the same whether something is there or not. */
function outside(written: string): ToolOutcome {
  return refused(
    `${JSON.stringify(written)} is outside the workspace folder, or a link that leads to nothing inside it. ` +
      'Only what is inside can be used: write paths relative to the folder.',
    'outside the folder',
  );
}

/**
 * Whether a path that cannot be resolved leaves the root on its way, at its nearest step that can be. Otherwise the
 * words about a failure would tell what there is behind a link that leads outside.
 */
async function leadsOutside(realRoot: string, lexical: string): Promise<boolean> {
  for (let step = lexical; step !== realRoot && isWithin(realRoot, step); step = path.dirname(step)) {
    try {
      return !isWithin(realRoot, await realpath(step));
    } catch {
      // A link that leads nowhere may lead nowhere outside.
      if (await isLink(step)) return true;
    }
  }
  return false;
}

function unresolved(written: string, error: unknown): ToolOutcome {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
      return refused(
        `There is no ${JSON.stringify(written)} in the workspace folder. Use list_files to see what there is.`,
        'not found',
      );
    case 'ENAMETOOLONG':
      return refused('The path is too long.', 'bad path');
    default:
      return refused(`${JSON.stringify(written)} cannot be read: access is denied.`, 'no access');
  }
}

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    return false;
  }
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
