import type { Stage } from '../stage';

/** Every statement that writes fails, in all windows. */
export function injectIntoAll(stage: Stage, code: string, ms: number): void {
  for (const { child } of stage.fleet.living) child.tell({ kind: 'inject', code, share: 1, ms });
}
