import picomatch from 'picomatch';
import type { Rule } from '../../../protocol/approval';
import { RULE_CHARS } from '../../base/limits';
import type { CommandAction } from '../action';
import { leadingWords } from './leadingWords';
import { readProgramCall } from './programCall';

/**
 * The words of a command that rules can be about; undefined: none can. A program that is named by a path relative to
 * its folder is another one in every folder: it is known in the workspace folder itself only.
 */
export function ruledWords(action: CommandAction): readonly string[] | undefined {
  const words = readProgramCall(action.command, action.shell);
  const [program] = words ?? [];
  if (program === undefined) return undefined;
  return program.includes('/') && !program.startsWith('/') && action.folder !== '.' ? undefined : words;
}

/**
 * Whether a rule allows the program call with these words. A rule about leading words that would not be offered for the
 * call covers nothing: neither one that is too short to say what is done, nor one about a program that runs others.
 */
export function coversCommand(rule: Rule, words: readonly string[]): boolean {
  if (rule.kind !== 'program' || words.length === 0) return false;
  if (rule.exact) return isSameWords(rule.words, words);
  const leading = leadingWords(words);
  return leading !== undefined && isSameWords(rule.words, leading);
}

/**
 * Whether a rule allows edits of a file, seen from the workspace folder, with `/` between its steps. Files whose name
 * begins with a dot are files as others are. What is absolute or holds `..` is never covered.
 */
export function coversFile(rule: Rule, shown: string, platform: NodeJS.Platform = process.platform): boolean {
  if (rule.kind !== 'files' || rule.pattern.length > RULE_CHARS) return false;
  if (!isPlainPath(shown) || !isPlainPath(rule.pattern)) return false;
  return picomatch.isMatch(shown, rule.pattern, {
    dot: true,
    nocase: platform === 'win32' || platform === 'darwin',
    nonegate: true,
    noextglob: true,
    nobrace: true,
    // `\` in a pattern takes away the meaning of what follows it, on every system.
    windows: false,
  });
}

/** A pattern that matches this path and nothing else. */
export function patternOf(path: string): string {
  return path.replaceAll(/[^\w/. -]/gu, (character) =>
    character.length === 1 && character < '\u0080' ? `\\${character}` : character,
  );
}

function isPlainPath(path: string): boolean {
  return !/^[a-z]:/i.test(path) && path.split('/').every((step) => step !== '' && step !== '.' && step !== '..');
}

function isSameWords(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at]);
}
