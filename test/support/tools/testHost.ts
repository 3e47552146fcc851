import { RunningCommands } from '../../../src/extension/tools/commands/runningCommands';
import { SeenFiles } from '../../../src/extension/tools/files/seenFiles';
import type { ToolHost } from '../../../src/extension/tools/toolHost';

/** What tools of a test may touch: a folder, and an editor in which nothing is open. */
export function testHost(root: string, special: Partial<ToolHost> = {}): ToolHost {
  return {
    root,
    ripgrepPath: '',
    editors: { text: () => undefined, replace: () => Promise.resolve(false) },
    seen: new SeenFiles(),
    commands: new RunningCommands(),
    problems: { all: () => [] },
    memory: {
      path: () => undefined,
      append: () => Promise.resolve({ ok: false, failure: 'There is no memory here.' }),
    },
    ownFolders: [],
    vision: false,
    ...special,
  };
}
