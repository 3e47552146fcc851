import type { Grant, Rule } from '../../../protocol/approval';
import { RULE_CHARS } from '../../base/limits';
import type { Action, CommandAction } from '../action';
import type { FilePlace } from '../filePlace';
import { leadingWords } from './leadingWords';
import { coversFile, patternOf, ruledWords } from './rules';

/**
 * What a request offers beside allowing it once, the narrowest first: rules that cover the action, then the same again
 * until the answer is done. For actions that are asked about because of the mode, or because a tool is not ours.
 */
export function grantsFor(action: Action): readonly Grant[] {
  switch (action.kind) {
    case 'edit':
      return action.place.outside || action.place.guard !== undefined ? [] : offered(fileRules(action.place));
    case 'command':
      return action.outside ? [] : offered(programRules(action));
    case 'other':
      return offered([{ kind: 'tool', tool: action.tool }]);
    case 'read':
    case 'input':
    case 'memory':
      return [];
  }
}

function offered(rules: readonly Rule[]): readonly Grant[] {
  return [...rules.map((rule): Grant => ({ kind: 'rule', rule })), { kind: 'answer' }];
}

function fileRules({ shown }: FilePlace): readonly Rule[] {
  const folder = shown.slice(0, Math.max(0, shown.lastIndexOf('/')));
  const patterns = [patternOf(shown), ...(folder === '' ? [] : [`${patternOf(folder)}/**`]), '**'];
  const rules = patterns.map((pattern): Rule => ({ kind: 'files', pattern }));
  // A name that no pattern can say is not offered.
  return rules.filter((rule) => coversFile(rule, shown));
}

function programRules(action: CommandAction): readonly Rule[] {
  const words = ruledWords(action);
  if (words === undefined || action.command.length > RULE_CHARS) return [];
  const exact: Rule = { kind: 'program', words, exact: true };
  const leading = leadingWords(words);
  return leading === undefined ? [exact] : [exact, { kind: 'program', words: leading, exact: false }];
}
