import type { AskReason, Mode, Rule } from '../../../protocol/approval';
import type { Action, CommandAction } from '../action';
import type { AnswerGrants } from './answerGrants';
import type { Decision } from './decision';
import { grantsFor } from './grants';
import { coversCommand, coversFile, ruledWords } from './rules';

/** What leave depends on beside the action. */
export interface LeaveFacts {
  readonly mode: Mode;
  /** What was allowed in this workspace. */
  readonly rules: readonly Rule[];
  /** What was allowed until the answer is done. */
  readonly answerGrants: Pick<AnswerGrants, 'cover'>;
  /** Whether what is asked for cannot be written down now. */
  readonly unsaved: boolean;
  /** Whether the person trusts the workspace. */
  readonly trusted: boolean;
}

/** Whether an action may be done, must be asked about, or may not be done here at all. */
export function decide(action: Action, facts: LeaveFacts): Decision {
  if (!facts.trusted && action.kind !== 'read') return { kind: 'refuse', sentence: NOT_TRUSTED };
  const reasons = new Set(reasonsOf(action));
  // What only reads leaves nothing behind that would have to be written down.
  if (facts.unsaved && action.kind !== 'read') reasons.add('unsaved');
  if (reasons.size > 0) return { kind: 'ask', reasons: [...reasons], grants: [] };
  if (isAllowed(action, facts)) return { kind: 'allow' };
  return { kind: 'ask', reasons: [action.kind === 'other' ? 'foreign' : 'mode'], grants: grantsFor(action) };
}

const NOT_TRUSTED =
  'The user does not trust this workspace folder: nothing in it is changed or run. ' +
  'Answer without that, or tell them that it takes “Workspaces: Manage Workspace Trust”.';

/** Why an action is asked about in every mode and whatever was allowed before. */
function reasonsOf(action: Action): readonly AskReason[] {
  switch (action.kind) {
    case 'edit': {
      const { outside, guard } = action.place;
      return [...(outside ? (['outside'] as const) : []), ...(guard === undefined ? [] : [guard])];
    }
    case 'read':
      return ['outside'];
    case 'command':
      return [...(action.outside ? (['outside'] as const) : []), ...namedReasons(action)];
    case 'input':
      return namedReasons(action);
    case 'memory':
      return ['memory'];
    case 'other':
      return [];
  }
}

function namedReasons({
  guarded,
  namesIgnored,
}: Pick<CommandAction, 'guarded' | 'namesIgnored'>): readonly AskReason[] {
  return [...guarded, ...(namesIgnored ? (['ignored'] as const) : [])];
}

function isAllowed(action: Action, { mode, rules, answerGrants }: LeaveFacts): boolean {
  switch (action.kind) {
    case 'edit':
      if (mode !== 'ask' || rules.some((rule) => coversFile(rule, action.place.shown))) return true;
      return answerGrants.cover(action);
    case 'command': {
      if (mode === 'bypass' || answerGrants.cover(action)) return true;
      const words = ruledWords(action);
      return words !== undefined && rules.some((rule) => coversCommand(rule, words));
    }
    case 'input':
      return mode === 'bypass';
    case 'other':
      if (rules.some((rule) => rule.kind === 'tool' && rule.tool === action.tool)) return true;
      return answerGrants.cover(action);
    case 'read':
    case 'memory':
      return false;
  }
}
