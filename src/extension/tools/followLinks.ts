import type { Stats } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { PATH_LINKS } from '../base/limits';

/** Where a path leads. */
export interface Followed {
  /** Absolute and without links. Behind a trouble the rest is as it was spelt. */
  readonly real: string;
  readonly exists: boolean;
  readonly kind?: 'file' | 'folder';
  /** Code of the system's error that kept the rest from being looked at. That nothing is there is none. */
  readonly trouble?: string;
}

/**
 * Goes an absolute path step by step as the system does when it opens it, links that lead to nothing included: what
 * would be made there is made where they lead. Never rejects.
 */
export async function followLinks(file: string): Promise<Followed> {
  const { root } = path.parse(file);
  let at = root;
  let steps = stepsOf(file.slice(root.length));
  let links = 0;
  for (;;) {
    const [step, ...rest] = steps;
    if (step === undefined) return existing(at);
    const next = path.join(at, step);
    const seen = step === '..' ? undefined : await look(next);
    if (typeof seen === 'string') {
      const real = path.join(await canonical(at), step, ...rest);
      if (seen !== 'ENOENT') return { real, exists: false, trouble: seen };
      // Nothing is above what is not there: the system does not go on either.
      return rest.includes('..') ? { real, exists: false, trouble: 'ENOENT' } : { real, exists: false };
    }
    if (seen?.isSymbolicLink() !== true) {
      at = next;
      steps = rest;
      continue;
    }
    links += 1;
    const target = links > PATH_LINKS ? undefined : await targetOf(next);
    if (target === undefined) return { real: path.join(at, ...steps), exists: false, trouble: 'ELOOP' };
    if (path.isAbsolute(target)) at = path.parse(target).root;
    steps = [...stepsOf(target.slice(path.isAbsolute(target) ? at.length : 0)), ...rest];
  }
}

async function existing(at: string): Promise<Followed> {
  try {
    const real = await realpath(at);
    return { real, exists: true, kind: (await lstat(real)).isDirectory() ? 'folder' : 'file' };
  } catch (error) {
    return { real: at, exists: false, trouble: codeOf(error) };
  }
}

/** What is there, not looking through a link, or the code of the error. */
async function look(file: string): Promise<Stats | string> {
  try {
    return await lstat(file);
  } catch (error) {
    return codeOf(error);
  }
}

/** A folder that is there under the name that the system gives it: case and short names differ on some. */
async function canonical(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return folder;
  }
}

async function targetOf(link: string): Promise<string | undefined> {
  try {
    return await readlink(link);
  } catch {
    return undefined;
  }
}

function stepsOf(relative: string): string[] {
  return relative.split(path.sep === '\\' ? /[\\/]+/ : /\/+/).filter((step) => step !== '' && step !== '.');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
