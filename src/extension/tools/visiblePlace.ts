import * as path from 'node:path';
import { failed, succeeded, type Result } from '../base/result';
import { confine, type ConfinedPath } from './confine';
import { hidden, readIgnoreRules, unreadableRules, type IgnoreRules } from './ignoreRules';
import { isWithin } from './pathSpelling';
import type { ToolOutcome } from './tool';

/** A place inside the workspace folder that the agent may see, and what it may not see in it. */
export interface VisiblePlace {
  readonly place: ConfinedPath;
  readonly rules: IgnoreRules;
}

/** Confines a path as `confine` does, and refuses what is hidden by either of its names. */
export async function confineVisible(root: string, written: string): Promise<Result<VisiblePlace, ToolOutcome>> {
  const rules = await readIgnoreRules(root);
  const unreadable = unreadableRules(rules);
  if (unreadable !== undefined) return failed(unreadable);
  const confined = await confine(root, written);
  // What is hidden is so whether it is there or not.
  const names = confined.ok
    ? [...speltInside([root, confined.value.root], written), confined.value.shown]
    : speltInside([root], written);
  if (names.some((name) => rules.isIgnored(name))) return failed(hidden(written));
  return confined.ok ? succeeded({ place: confined.value, rules }) : confined;
}

/** The path as it is spelt, relative to whichever name of the root it lies in. */
function speltInside(roots: readonly string[], written: string): readonly string[] {
  return roots
    .filter((root) => isWithin(root, path.resolve(root, written)))
    .map((root) => path.relative(root, path.resolve(root, written)).split(path.sep).join('/'));
}
