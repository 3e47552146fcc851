import { realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { NAMED_LINKS } from '../../base/limits';
import type { NamedGuard } from '../action';
import { followLinks } from '../followLinks';
import { isWithin } from '../pathSpelling';
import { guardOf, guardOfPattern } from '../protectedPlaces';
import type { ToolHost } from '../toolHost';
import { readPieces } from './commandPieces';

/**
 * What a command line plainly names that is asked about in every mode, links in the workspace folder followed. A program
 * can reach what its line does not name: this tells the person what can be seen, and confines nothing. `cwd`: real path
 * of the folder in which it runs. Reads at most; never rejects.
 */
export async function namesGuarded(
  command: string,
  cwd: string,
  host: Pick<ToolHost, 'root' | 'ownFolders' | 'home'>,
): Promise<readonly NamedGuard[]> {
  const roots = [await realpath(host.root).catch(() => host.root), host.root];
  const isOutside = (file: string): boolean => !roots.some((root) => isWithin(root, file));
  const said = command
    .replaceAll(/\$(?:HOME\b|\{HOME\})/g, '~')
    .replaceAll(/\$(?:PWD\b|\{PWD\})/g, '.')
    .replaceAll(WEB_ADDRESS, ' ');
  const named = new Set<NamedGuard>();
  let links = 0;
  for (const piece of readPieces(said).pieces) {
    const target = targetOf(piece, cwd, host.home);
    if (target === undefined) {
      named.add('outside');
      continue;
    }
    const places = [target];
    if (isOutside(target)) {
      if (!OF_THE_SYSTEM.test(target)) named.add('outside');
    } else if (links < NAMED_LINKS) {
      links += 1;
      const { real } = await followLinks(target);
      if (isOutside(real) && !PROGRAM.test(real)) named.add('outside');
      places.push(real);
    }
    const guards = [guardOf(places, host), ...piece.split('/').map(guardOfPattern)];
    for (const guard of guards) if (guard !== undefined) named.add(guard);
  }
  return [...named];
}

/** It is no path, unless it leads up again. */
const WEB_ADDRESS = /\b(?:https?|ftp|ssh|git|wss?):\/\/(?![^\s'"`;&|<>()]*\.\.)[^\s'"`;&|<>()]*/gi;

/** Programs of the system, and devices that keep nothing. */
const OF_THE_SYSTEM = /^\/(?:(?:usr\/)?bin\/[^/]+|dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/\d+))$/;

/** Where a link in the folder may well lead, such as that of a Python environment. */
const PROGRAM = /[\\/]s?bin[\\/][^\\/]+$/;

/** The absolute path that a piece names; undefined: somebody else's home, or one that is not known. */
function targetOf(piece: string, cwd: string, home: string | undefined): string | undefined {
  const plain = piece.replace(/^file:(?:\/\/)?/i, '');
  if (!plain.startsWith('~')) return path.resolve(cwd, plain);
  return home !== undefined && /^~(?:\/|$)/.test(plain) ? path.join(home, plain.slice(1)) : undefined;
}
