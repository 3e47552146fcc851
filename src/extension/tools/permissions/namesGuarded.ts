import * as path from 'node:path';
import type { AskReason } from '../../../protocol/approval';
import { isWithin } from '../confine';
import type { Guard } from '../filePlace';
import { readPieces } from './commandPieces';

/** Where it is asked about, whatever the mode. */
export interface GuardedPlaces {
  /** Path of the workspace folder; it may itself be a link. */
  readonly root: string;
  /** The person's home, where it is known. */
  readonly home?: string;
  /** Why the file at an absolute path is guarded; undefined: it is not. */
  guardOf(file: string): Guard | undefined;
}

/**
 * Why a command line is asked about because of what it plainly names. A program can reach what its line does not name:
 * this tells the person of what can be seen, and confines nothing. `cwd`: real path of the folder in which it runs;
 * `realRoot`: that of the workspace folder.
 */
export function namesGuarded(
  command: string,
  cwd: string,
  realRoot: string,
  places: GuardedPlaces,
): readonly AskReason[] {
  const reasons = new Set<AskReason>();
  const said = command
    .replaceAll(/\$(?:HOME\b|\{HOME\})/g, '~')
    .replaceAll(/\$(?:PWD\b|\{PWD\})/g, '.')
    .replaceAll(WEB_ADDRESS, ' ');
  for (const piece of readPieces(said).pieces) {
    const target = targetOf(piece, cwd, places);
    if (target === 'unknown') {
      reasons.add('outside');
      continue;
    }
    const base = [realRoot, places.root].find((root) => isWithin(root, target));
    if (base === undefined) {
      if (!OF_THE_SYSTEM.test(target)) reasons.add('outside');
    }
    const real = base === undefined ? target : path.join(realRoot, path.relative(base, target));
    // A folder is guarded as what lies in it is.
    const guard = places.guardOf(real) ?? places.guardOf(path.join(real, 'x'));
    if (guard !== undefined) reasons.add(guard);
    if (path.basename(real).toLowerCase() === '.git') reasons.add('hooks');
  }
  return [...reasons];
}

/** It is no path, unless it leads up again. */
const WEB_ADDRESS = /\b(?:https?|ftp|ssh|git|wss?):\/\/(?![^\s'"`;&|<>()]*\.\.)[^\s'"`;&|<>()]*/gi;

/** Programs of the system, and devices that hold nothing. */
const OF_THE_SYSTEM = /^\/(?:(?:usr\/)?bin\/[^/]+|dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/\d+))$/;

function targetOf(piece: string, cwd: string, { home }: GuardedPlaces): string {
  const plain = piece.replace(/^file:(?:\/\/)?/i, '');
  if (!plain.startsWith('~')) return path.resolve(cwd, plain);
  // Somebody else's home, or one that is not known.
  if (home === undefined || !/^~(?:\/|$)/.test(plain)) return 'unknown';
  return path.join(home, plain.slice(1));
}
