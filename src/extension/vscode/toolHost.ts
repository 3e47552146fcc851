import type { Skill } from '../agent/context/skills';
import { skillSource } from '../agent/context/skillSource';
import type { ToolSession } from '../conversations/turns/toolSessions';
import type { ToolHost } from '../tools/toolHost';
import { personsHome } from './contextFiles';
import { memoryFiles } from './memoryFiles';
import { editorProblems } from './problems';
import { unsavedEditors } from './unsavedEditors';

/** What the tools of one turn work with. */
export interface HostParts {
  /** Path of the workspace folder; without one, of a folder of ours. */
  readonly root: string;
  /** Whether the root is the person's folder. */
  readonly hasFolder: boolean;
  readonly ripgrep: string;
  /** Folders with data of this extension. */
  readonly ownFolders: readonly string[];
  readonly session: ToolSession;
  readonly skills: readonly Skill[];
  /** Whether the model sees images. */
  readonly vision: boolean;
}

/** What tools may touch in this editor. */
export function toolHost(parts: HostParts): ToolHost {
  const { root, hasFolder, ripgrep, ownFolders, session, skills, vision } = parts;
  const home = personsHome();
  return {
    root,
    ripgrepPath: ripgrep,
    skills: skillSource(skills),
    editors: unsavedEditors,
    seen: session.seen,
    commands: session.commands,
    problems: editorProblems,
    memory: memoryFiles(home, hasFolder ? root : undefined),
    ownFolders,
    ...(home === undefined ? {} : { home }),
    vision,
  };
}
