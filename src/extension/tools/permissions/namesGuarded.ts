import * as path from 'node:path';
import type { AskReason } from '../../../protocol/approval';
import { isWithin } from '../pathSpelling';
import { guardOf } from '../protectedPlaces';
import type { ToolHost } from '../toolHost';
import { readPieces } from './commandPieces';

/** What places are judged by. */
export type PlaceFacts = Pick<ToolHost, 'root' | 'ownFolders' | 'home'>;

/**
 * Why a command line is asked about because of what it plainly names. A program can reach what its line does not name:
 * this tells the person what can be seen, and confines nothing. `cwd`: real path of the folder in which it runs;
 * `realRoot`: that of the workspace folder.
 */
export function namesGuarded(command: string, cwd: string, realRoot: string, host: PlaceFacts): readonly AskReason[] {
  const reasons = new Set<AskReason>();
  const said = command
    .replaceAll(/\$(?:HOME\b|\{HOME\})/g, '~')
    .replaceAll(/\$(?:PWD\b|\{PWD\})/g, '.')
    .replaceAll(WEB_ADDRESS, ' ');
  for (const piece of readPieces(said).pieces) {
    const target = targetOf(piece, cwd, host.home);
    if (target === undefined) {
      reasons.add('outside');
      continue;
    }
    const base = [realRoot, host.root].find((root) => isWithin(root, target));
    if (base === undefined && !OF_THE_SYSTEM.test(target)) reasons.add('outside');
    const real = base === undefined ? target : path.join(realRoot, path.relative(base, target));
    const guard = guardOf([real], host);
    if (guard !== undefined) reasons.add(guard);
  }
  return [...reasons];
}

/** It is no path, unless it leads up again. */
const WEB_ADDRESS = /\b(?:https?|ftp|ssh|git|wss?):\/\/(?![^\s'"`;&|<>()]*\.\.)[^\s'"`;&|<>()]*/gi;

/** Programs of the system, and devices that keep nothing. */
const OF_THE_SYSTEM = /^\/(?:(?:usr\/)?bin\/[^/]+|dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/\d+))$/;

/** The absolute path that a piece names; undefined: somebody else's home, or one that is not known. */
function targetOf(piece: string, cwd: string, home: string | undefined): string | undefined {
  const plain = piece.replace(/^file:(?:\/\/)?/i, '');
  if (!plain.startsWith('~')) return path.resolve(cwd, plain);
  return home !== undefined && /^~(?:\/|$)/.test(plain) ? path.join(home, plain.slice(1)) : undefined;
}
