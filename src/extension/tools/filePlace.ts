import { lstat, realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { failed, succeeded, type Result } from '../base/result';
import { followLinks, type Followed } from './followLinks';
import { hidden, readIgnoreRules, unreadableRules, type IgnoreRules } from './ignoreRules';
import { isWithin, misspelt } from './pathSpelling';
import { guardOf } from './protectedPlaces';
import { refused, type ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';

/** Why a place is guarded: what stands there is more than text, so that changing it asks in every mode. */
export type Guard = 'settings' | 'hooks' | 'own_data' | 'profile';

/**
 * A file that a call names, with every link on its way resolved; there may be no such file yet. A file with several
 * names (hard links) lies where it is named: nothing tells where its other names are.
 */
export interface FilePlace {
  /** Absolute and without links, unless someone changed the folders meanwhile: see `openPlace.ts`. */
  readonly real: string;
  /** Real path of the workspace folder. */
  readonly root: string;
  /** Seen from the workspace folder, with `/` between its steps; absolute when it lies outside. */
  readonly shown: string;
  readonly outside: boolean;
  readonly exists: boolean;
  readonly guard?: Guard;
}

/**
 * Resolves a path as the model wrote it. A place outside is answered as such, whether there is something or not: to find
 * that out takes leave. The failure is an outcome for the model: what is misspelt or hidden, what cannot be reached, and
 * for `existing` what is missing in the workspace folder.
 */
export async function locate(
  host: Pick<ToolHost, 'root' | 'ownFolders' | 'home'>,
  written: string,
  what: 'existing' | 'any',
): Promise<Result<FilePlace, ToolOutcome>> {
  const spelling = misspelt(written);
  if (spelling !== undefined) return failed(refused(spelling, 'bad path'));
  let root: string;
  try {
    root = await realpath(host.root);
  } catch {
    return failed(refused('The workspace folder cannot be read now.', 'no folder'));
  }
  const rules = await readIgnoreRules(root);
  const unreadable = unreadableRules(rules);
  if (unreadable !== undefined) return failed(unreadable);
  const wanted = path.resolve(host.root, written);
  // An absolute path may name the root as it was opened or as it really is.
  const base = [host.root, root].find((one) => isWithin(one, wanted));
  const spelt = base === undefined ? wanted : path.join(root, path.relative(base, wanted));
  const followed = await followLinks(spelt);
  const { real } = followed;
  if ([spelt, real].some((one) => isHidden(root, one, followed.kind, rules))) return failed(hidden(written));
  const outside = !isWithin(root, real);
  if (!outside && (followed.trouble !== undefined || (what === 'existing' && !followed.exists))) {
    return failed(unreached(written, followed));
  }
  const own = await Promise.all(host.ownFolders.map((folder) => realpath(folder).catch(() => folder)));
  const guard =
    guardOf([real, spelt], { ...host, ownFolders: [...host.ownFolders, ...own] }) ??
    (!outside && (await isOfRepository(root, real)) ? 'hooks' : undefined);
  return succeeded({
    real,
    root,
    shown: outside ? real : shownInside(root, real),
    outside,
    exists: followed.exists,
    ...(guard === undefined ? {} : { guard }),
  });
}

/** A path inside the root as seen from it, with `/` between its steps; `.` for the root. Both are real. */
export function shownInside(root: string, real: string): string {
  return path.relative(root, real).split(path.sep).join('/') || '.';
}

/**
 * Whether a file makes a folder the inside of a git repository, or lies in such a one that is not called `.git`: git
 * takes any folder with a `HEAD` for one that it is started in, and runs what its `config` names.
 */
async function isOfRepository(root: string, real: string): Promise<boolean> {
  if (/^head$/i.test(path.basename(real))) return true;
  for (let folder = path.dirname(real); isWithin(root, folder); folder = path.dirname(folder)) {
    if ((await Promise.all(['HEAD', 'objects', 'refs'].map((name) => isThere(folder, name)))).every(Boolean))
      return true;
    if (folder === path.dirname(folder)) break;
  }
  return false;
}

async function isThere(folder: string, name: string): Promise<boolean> {
  return lstat(path.join(folder, name)).then(
    () => true,
    () => false,
  );
}

function isHidden(root: string, file: string, kind: Followed['kind'], rules: IgnoreRules): boolean {
  return file !== root && isWithin(root, file) && rules.isIgnored(shownInside(root, file), kind);
}

function unreached(written: string, { trouble }: Followed): ToolOutcome {
  const shown = JSON.stringify(written);
  switch (trouble) {
    case undefined:
    case 'ENOENT':
      return missing(written);
    case 'ENOTDIR':
      return refused(
        `${shown} leads through a file as if it were a folder. Use list_files to see what there is.`,
        'not found',
      );
    case 'ENAMETOOLONG':
      return refused('The path is too long.', 'bad path');
    case 'ELOOP':
      return refused(`${shown} is a link that leads nowhere.`, 'not found');
    default:
      return refused(`${shown} cannot be reached: access is denied (${trouble}).`, 'no access');
  }
}

function missing(written: string): ToolOutcome {
  return refused(
    `There is no ${JSON.stringify(written)} in the workspace folder. Use list_files to see what there is.`,
    'not found',
  );
}
