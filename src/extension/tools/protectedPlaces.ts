import * as path from 'node:path';
import type { Guard } from './filePlace';
import { GLOB_CHARS } from '../base/limits';
import { isGlob, overlaps, shellSteps } from './globOverlap';
import { isWithin } from './pathSpelling';
import type { ToolHost } from './toolHost';

/** Shells, sessions and logins that read such a file of a person when they start. */
const PROFILE_NAMES: ReadonlySet<string> = new Set([
  '.bash_aliases',
  '.bash_login',
  '.bash_logout',
  '.bash_profile',
  '.bashrc',
  '.cshrc',
  '.envrc',
  '.inputrc',
  '.kshrc',
  '.login',
  '.logout',
  '.mkshrc',
  '.pam_environment',
  '.profile',
  '.tcshrc',
  '.xinitrc',
  '.xprofile',
  '.xsession',
  '.zlogin',
  '.zlogout',
  '.zprofile',
  '.zshenv',
  '.zshrc',
  'bash.bashrc',
  'profile.ps1',
]);

/** The same for folders: whatever lies in them. `/` stands between two steps that follow each other. */
const PROFILE_FOLDERS: readonly string[] = [
  '.ssh',
  '.bashrc.d',
  '.config/fish',
  '.config/nushell',
  '.config/powershell',
  '.config/autostart',
  '.config/systemd',
  '.config/environment.d',
  'documents/powershell',
  'documents/windowspowershell',
  'library/launchagents',
  'library/launchdaemons',
  'start menu/programs/startup',
  'etc/profile.d',
  'etc/zsh',
];

/** Names under which folders with hooks go, beside git's own: those of the usual managers of hooks. */
const HOOK_FOLDERS: readonly string[] = ['.husky', '.githooks', '.git-hooks', '.lefthook', '.config/git'];
const HOOK_NAMES: ReadonlySet<string> = new Set(['.gitconfig', '.gitmodules', '.pre-commit-config.yaml']);
const LEFTHOOK = /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$/;

const SETTINGS_FOLDERS: readonly string[] = ['.devcontainer', ...userSettings()];

const OWN_FOLDERS: readonly string[] = ['.holdfast', '.agents'];
const OWN_NAMES: ReadonlySet<string> = new Set(['.holdfastignore', 'agents.md']);

/**
 * Whether one of these paths names what is more than text; undefined: none does. They are absolute: a file by its real
 * path and as it was spelt. Case and what a system drops from a name mean nothing: what may be guarded is guarded.
 */
export function guardOf(paths: readonly string[], host: Pick<ToolHost, 'ownFolders' | 'home'>): Guard | undefined {
  const owned = host.ownFolders.map((folder) => stepsOf(folder).join('/'));
  const home = host.home === undefined ? undefined : stepsOf(host.home).join('/');
  for (const guard of ['own_data', 'settings', 'hooks', 'profile'] as const) {
    if (paths.some((one) => isGuarded(guard, stepsOf(one), owned, home))) return guard;
  }
  return undefined;
}

/**
 * Whether a step of a path that is a pattern of a shell may stand for a name that is guarded and begins with a dot, which
 * a pattern has to say. One that says no letter of the name says too little.
 */
export function guardOfPattern(step: string): Guard | undefined {
  if (!step.startsWith('.') || !/[a-z]/i.test(step) || !isGlob(step)) return undefined;
  const pattern = shellSteps(step.slice(0, GLOB_CHARS));
  return PATTERN_NAMES.find(([, name]) => overlaps(pattern, shellSteps(name)))?.[0];
}

const PATTERN_NAMES: readonly (readonly [Guard, string])[] = [
  ...['.holdfastignore', ...OWN_FOLDERS].map((name) => ['own_data', name] as const),
  ...['.vscode', '.devcontainer', '.devcontainer.json'].map((name) => ['settings', name] as const),
  ...['.git', ...HOOK_FOLDERS, ...HOOK_NAMES].map((name) => ['hooks', name] as const),
  ...[...PROFILE_NAMES].filter((name) => name.startsWith('.')).map((name) => ['profile', name] as const),
];

function isGuarded(
  guard: Guard,
  steps: readonly string[],
  owned: readonly string[],
  home: string | undefined,
): boolean {
  const name = steps.at(-1) ?? '';
  const whole = steps.join('/');
  switch (guard) {
    case 'own_data':
      return (
        lies(whole, OWN_FOLDERS) || OWN_NAMES.has(name) || owned.some((folder) => isWithin(`/${folder}`, `/${whole}`))
      );
    case 'settings':
      // `.vscode-server` is the same on a remote machine.
      return (
        steps.some((step) => /^\.vscode(?:-|$)/.test(step)) ||
        lies(whole, SETTINGS_FOLDERS) ||
        name === '.devcontainer.json' ||
        name.endsWith('.code-workspace')
      );
    case 'hooks':
      // `.git` is a file in a worktree; a bare repository is called `name.git`.
      return (
        steps.some((step) => step.endsWith('.git')) ||
        lies(whole, HOOK_FOLDERS) ||
        HOOK_NAMES.has(name) ||
        LEFTHOOK.test(name)
      );
    case 'profile':
      return (
        PROFILE_NAMES.has(name) ||
        name.endsWith('_profile.ps1') ||
        lies(whole, PROFILE_FOLDERS) ||
        /^etc\/(?:profile|environment|zshenv|zshrc|zprofile|csh\.cshrc)$/.test(whole) ||
        // Nobody knows all the programs that read a dot file of the home when they start.
        (home !== undefined && name.startsWith('.') && steps.slice(0, -1).join('/') === home)
      );
  }
}

/** Whether the path is one of the folders or lies in one, wherever that is. */
function lies(whole: string, folders: readonly string[]): boolean {
  return folders.some((folder) => `/${whole}/`.includes(`/${folder}/`));
}

/** The steps of a path as a system that is generous about names would compare them. */
function stepsOf(file: string): readonly string[] {
  return file
    .split(path.sep === '\\' ? /[\\/]/ : /\//)
    .map((step) =>
      step
        .normalize('NFKC')
        // Some file systems ignore these.
        .replaceAll(/\p{Cf}/gu, '')
        .toLowerCase()
        .replace(/[. ]+$/, ''),
    )
    .filter((step) => step !== '');
}

/** Where editors of this family keep the settings of a person. */
function userSettings(): readonly string[] {
  return ['code', 'code - insiders', 'code - oss', 'vscodium'].map((product) => `${product}/user`);
}
