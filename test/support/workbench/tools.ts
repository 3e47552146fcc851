import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every command runs in the root of the repository. */
export const ROOT = process.cwd();

/**
 * The path of a program that `scripts/setup.mjs` provides: the Node that runs the VS Code server, the server's entry, or
 * the browser. Throws with the way out when it has not been set up.
 */
export function toolPath(name: 'serverNode' | 'vscodeServer' | 'chromium'): string {
  let tools: Record<string, string> = {};
  try {
    tools = JSON.parse(readFileSync(join(ROOT, '.cache', 'tools.json'), 'utf8')) as Record<string, string>;
  } catch {
    // Told below, together with a file that lacks the entry.
  }
  const path = tools[name];
  if (path === undefined) throw new Error(`${name} is not set up. Run "npm run setup" in the root of the repository.`);
  return path;
}
