import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as path from 'node:path';
import { NAMED_FOLDER_ENTRIES, NAMED_FOLDERS, NAMED_PIECES } from '../../base/limits';
import { followLinks } from '../followLinks';
import { shownInside } from '../filePlace';
import type { IgnoreRules } from '../ignoreRules';
import { isWithin } from '../pathSpelling';
import { readPieces } from './commandPieces';

/**
 * Whether a command line names, or may name, a file that is hidden from the agent: by any piece of it, by a pattern, by
 * a variable or substitution, or by naming a folder in which one lies. In doubt it does. What a line does not say is not
 * known: a program that reads the whole folder by itself, or makes up the name. `cwd` and `root` are real paths. Reads
 * at most; never rejects.
 */
export async function namesIgnored(
  command: string,
  cwd: string,
  root: string,
  rules: Pick<IgnoreRules, 'isIgnored' | 'mayMatch'>,
): Promise<boolean> {
  // Nothing is hidden.
  if (!rules.mayMatch('**')) return false;
  const { pieces, expands } = readPieces(command);
  if (expands || pieces.size > NAMED_PIECES) return true;
  const named = [...pieces].map((piece) => piece.replace(/^~(?=\/|$)/, homedir()));
  // What follows `cd` is named from there.
  const folders = [cwd, ...(await foldersOf(named, cwd))];
  if (folders.length > NAMED_FOLDERS) return true;
  for (const folder of folders) {
    for (const piece of named) if (await namesHidden(path.resolve(folder, piece), root, rules)) return true;
  }
  const walk = { left: NAMED_FOLDER_ENTRIES };
  const isTold = folders.length > 1 && !/[;&|()`\n]/.test(command);
  for (const folder of !isTold && searchesAll(pieces) ? folders : folders.slice(1)) {
    if (await holdsHidden(folder, root, rules, walk)) return true;
  }
  return false;
}

/** Whether it may go through the folder in which it runs without naming it. */
function searchesAll(pieces: ReadonlySet<string>): boolean {
  const all = [...pieces];
  if (all.some((piece) => SEARCHERS.has(path.posix.basename(piece)))) return true;
  const isRecursive = all.some((piece) => /^(?:-[a-z]*r|--(?:dereference-)?recursive)/i.test(piece));
  return isRecursive && all.some((piece) => piece.endsWith('grep'));
}

const SEARCHERS: ReadonlySet<string> = new Set(['rg', 'ag', 'ack', 'ugrep', 'rgrep']);

/** Pieces that are folders, or patterns that may stand for one. */
async function foldersOf(pieces: readonly string[], cwd: string): Promise<readonly string[]> {
  const folders = new Set<string>();
  for (const piece of pieces) {
    const folder = path.resolve(cwd, piece);
    if (folders.size < NAMED_FOLDERS && (PATTERN.test(piece) || (await isFolder(folder)))) folders.add(folder);
  }
  return [...folders];
}

const PATTERN = /[*?[]|\{[^{}]*(?:,|\.\.)[^{}]*\}/;

async function namesHidden(
  file: string,
  root: string,
  rules: Pick<IgnoreRules, 'isIgnored' | 'mayMatch'>,
): Promise<boolean> {
  if (!isWithin(root, file) || file === root) return false;
  if (rules.mayMatch(asPattern(shownInside(root, file)))) return true;
  const { real } = await followLinks(file);
  return real !== file && real !== root && isWithin(root, real) && rules.isIgnored(shownInside(root, real));
}

/** What a shell would take for no pattern is none, such as `{print $1}`: variables were looked for before. */
function asPattern(word: string): string {
  const plain = word.replaceAll('$', String.raw`\$`).replaceAll(/(?<![?*+@!])\(/g, String.raw`\(`);
  return /\s/.test(word) || !PATTERN.test(word) ? plain.replaceAll('{', String.raw`\{`) : plain;
}

/** Whether something hidden lies in a folder. One with more than is looked at may hold it. */
async function holdsHidden(
  folder: string,
  root: string,
  rules: Pick<IgnoreRules, 'isIgnored'>,
  walk: { left: number },
): Promise<boolean> {
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (!isWithin(root, at)) continue;
    for (const entry of await entriesOf(at)) {
      walk.left -= 1;
      if (walk.left < 0) return true;
      const inner = path.join(at, entry.name);
      const isDirectory = entry.isDirectory();
      if (rules.isIgnored(shownInside(root, inner), isDirectory ? 'folder' : 'file')) return true;
      if (isDirectory && !BY_OTHERS.has(entry.name)) open.push(inner);
    }
  }
  return false;
}

/** Folders full of files that are not the person's own. */
const BY_OTHERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function isFolder(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isDirectory();
  } catch {
    return false;
  }
}
