import * as path from 'node:path';

/** Name of our folder, in the home of the person and in a workspace folder. */
const OURS = '.holdfast';

/** Names of the files that people write for the agent. */
export const AGENTS_FILE = 'AGENTS.md';
export const MEMORY_FILE = 'memory.md';
export const SKILL_FILE = 'SKILL.md';

/** What a window may say of its folder. `path` is meant for this machine only when the scheme is `file`. */
export interface WindowFolder {
  readonly scheme: string;
  readonly path: string;
}

/** Where the texts lie that go along with every request. */
export interface ContextPlaces {
  /** Home of the person; undefined when the system knows none. */
  readonly home?: string;
  /** Path of the workspace folder on this machine; undefined: nothing of a folder is read. */
  readonly root?: string;
}

/** A folder of texts. Links of the person's own are followed; those of a workspace only as far as they stay in it. */
export interface ContextPlace {
  readonly scope: 'global' | 'folder';
  /** What confines it: the workspace folder, or our folder in the person's home. */
  readonly base: string;
  /** Below the base, with `/` between its steps; empty for the base itself. */
  readonly folder: string;
}

/** The path under which a folder's files may be read: only of a trusted folder on this machine. */
export function readableRoot(folder: WindowFolder | undefined, trusted: boolean): string | undefined {
  return folder !== undefined && folder.scheme === 'file' && trusted ? folder.path : undefined;
}

/** Our folder in the person's home. */
export function globalFolder(home: string): string {
  return path.join(home, OURS);
}

/** Where memory lies: what holds everywhere, then what holds in the folder. */
export function memoryPlaces({ home, root }: ContextPlaces): readonly ContextPlace[] {
  return [...globalPlaces(home, ''), ...folderPlaces(root, OURS)];
}

/** Where AGENTS.md may lie beside the folders that a conversation touched. */
export function agentsPlaces({ home, root }: ContextPlaces): readonly ContextPlace[] {
  return [...globalPlaces(home, ''), ...folderPlaces(root, '')];
}

/** Folders of skills, the ones that win first. `.agents/skills` is where several agents look. */
export function skillPlaces({ home, root }: ContextPlaces): readonly ContextPlace[] {
  return [
    ...folderPlaces(root, `${OURS}/skills`),
    ...folderPlaces(root, '.agents/skills'),
    ...globalPlaces(home, 'skills'),
    ...(home === undefined ? [] : [{ scope: 'global', base: path.join(home, '.agents'), folder: 'skills' } as const]),
  ];
}

/** A file of a place, as people write its path. */
export function shownPath(place: ContextPlace, file: string): string {
  const start = place.scope === 'global' ? [`~/${path.basename(place.base)}`] : [];
  return [...start, ...(place.folder === '' ? [] : [place.folder]), file].join('/');
}

function globalPlaces(home: string | undefined, folder: string): readonly ContextPlace[] {
  return home === undefined ? [] : [{ scope: 'global', base: globalFolder(home), folder }];
}

function folderPlaces(root: string | undefined, folder: string): readonly ContextPlace[] {
  return root === undefined ? [] : [{ scope: 'folder', base: root, folder }];
}
