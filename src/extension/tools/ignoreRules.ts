import { lstat } from 'node:fs/promises';
import * as path from 'node:path';
import ignore from 'ignore';
import {
  GLOB_CHARS,
  GLOB_STARS,
  IGNORE_DOUBLE_STARS,
  IGNORE_FILE_BYTES,
  IGNORE_RULES,
  PATH_CHARS,
  PATH_STEPS,
} from '../base/limits';
import { confine, openConfined } from './confine';
import { readSlice } from './fileSlice';
import { withGluedStars } from './gluedStars';
import { isGlob, overlaps, ruleSteps, shellSteps } from './globOverlap';
import { decodeText } from './textFile';
import { refused, type ToolOutcome } from './tool';

/** Name of the file in the workspace folder that says what is hidden from the agent, in the syntax of `.gitignore`. */
export const IGNORE_FILE = '.holdfastignore';

/** What is hidden from the agent. Paths are relative to the workspace folder, with `/` between their steps. */
export interface IgnoreRules {
  /** Absolute path of the file with the rules, for other programs; undefined: there is none. */
  readonly file: string | undefined;
  /** Why nothing can be told, as a sentence: then everything counts as hidden. */
  readonly problem?: string;
  /**
   * Whether this file or folder is hidden, be it by a folder around it. It need not exist. Some rules mean folders only:
   * without `kind`, what is hidden as either is hidden.
   */
  isIgnored(relative: string, kind?: 'file' | 'folder'): boolean;
  /** Whether a word of a command line, a pattern or not, could name something hidden. In doubt it could. */
  mayMatch(word: string): boolean;
}

const NO_RULES: IgnoreRules = { file: undefined, isIgnored: () => false, mayMatch: () => false };

/** Reads what is hidden in a workspace folder now. Never rejects: rules that cannot be read hide everything. */
export async function readIgnoreRules(root: string): Promise<IgnoreRules> {
  try {
    await lstat(path.join(root, IGNORE_FILE));
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? NO_RULES : unusable(code);
  }
  const confined = await confine(root, IGNORE_FILE);
  if (!confined.ok) return unusable(confined.failure.summary);
  const { real } = confined.value;
  try {
    if (!(await lstat(real)).isFile()) return unusable('it is no regular file');
    const handle = await openConfined(confined.value);
    if (handle === undefined) return unusable('it was replaced while it was opened');
    try {
      const bytes = await readSlice(handle, 0, IGNORE_FILE_BYTES + 1, new AbortController().signal);
      if (bytes.length > IGNORE_FILE_BYTES) return unusable(`it has more than ${IGNORE_FILE_BYTES} bytes`);
      const text = decodeText(bytes);
      if (text === undefined) return unusable('it is no text');
      const dear = tooDear(text);
      return dear === undefined ? ignoreRules(text, real) : unusable(dear);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return unusable(codeOf(error));
  }
}

/** The rules that a text states. `file`: where it stands. */
export function ignoreRules(text: string, file?: string): IgnoreRules {
  // Names that differ in case, or in how an accent is written, may be one file: what either reading hides is hidden.
  const rules = withGluedStars(composed(text));
  const matchers = [ignore({ ignorecase: true }).add(rules), ignore({ ignorecase: false }).add(rules)];
  const isIgnored: IgnoreRules['isIgnored'] = (relative, kind) => {
    const plain = plainPath(relative);
    // What no system opens is no file.
    if (plain === '' || plain.length > PATH_CHARS || !ignore.isPathValid(plain)) return false;
    if (plain.split('/').length > PATH_STEPS) return true;
    const readings = [...(kind === 'folder' ? [] : [plain]), ...(kind === 'file' ? [] : [`${plain}/`])];
    return readings.some((reading) => matchers.some((one) => one.ignores(reading)));
  };
  // Commands alone need it, and rules are read at every call.
  let named: ReturnType<typeof ruleSteps> | undefined;
  return {
    file,
    isIgnored,
    mayMatch: (word) => {
      if (!isGlob(word)) return isIgnored(word);
      named ??= rules.split('\n').flatMap(ruleSteps);
      if (named.length === 0) return false;
      const pattern = composed(word);
      // `..` behind a pattern may lead anywhere.
      if (pattern.length > GLOB_CHARS || pattern.split('/').includes('..')) return true;
      const steps = shellSteps(plainPath(pattern));
      return named.some((rule) => overlaps(steps, rule));
    },
  };
}

/** The refusal of what is hidden. `shown`: as the model wrote it. */
export function hidden(shown: string): ToolOutcome {
  return refused(
    `${JSON.stringify(shown)} is hidden from you by ${IGNORE_FILE}: do without it, or ask the user about it.`,
    'hidden',
  );
}

/** The refusal when the rules themselves cannot be read; undefined: they can. */
export function unreadableRules(rules: IgnoreRules): ToolOutcome | undefined {
  return rules.problem === undefined ? undefined : refused(rules.problem, 'rules unreadable');
}

function unusable(why: string): IgnoreRules {
  return {
    file: undefined,
    problem: `${IGNORE_FILE} says what is hidden here and cannot be read (${why}), so that no file can be used. Tell the user.`,
    isIgnored: () => true,
    mayMatch: () => true,
  };
}

/** Why comparing with these rules could take minutes, in words; undefined: it cannot. */
function tooDear(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trimEnd());
  if (lines.filter((line) => line !== '' && !line.startsWith('#')).length > IGNORE_RULES) {
    return `it has more than ${IGNORE_RULES} rules`;
  }
  const at = lines.findIndex((line) => !line.startsWith('#') && isDear(line));
  if (at < 0) return undefined;
  return (
    `line ${at + 1} has more than ${GLOB_CHARS} characters, ${GLOB_STARS} “*” or ` +
    `${IGNORE_DOUBLE_STARS} “**” within a path`
  );
}

function isDear(rule: string): boolean {
  const within = rule.replace(/^!?\/?(?:\*\*\/)?/, '').replace(/(?:\/\*\*)?\/?$/, '');
  const stars = within.match(/\*+/g) ?? [];
  const isLong = rule.length > GLOB_CHARS || stars.length > GLOB_STARS;
  return isLong || stars.filter((run) => run.length > 1).length > IGNORE_DOUBLE_STARS;
}

function plainPath(relative: string): string {
  return composed(relative)
    .split('/')
    .filter((step) => step !== '' && step !== '.')
    .join('/');
}

function composed(text: string): string {
  return text.normalize('NFC');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
