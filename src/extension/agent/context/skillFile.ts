import { parse } from 'yaml';
import { SKILL_NAME_CHARS } from '../../base/limits';
import { failed, succeeded, type Result } from '../../base/result';

/** A SKILL.md, taken apart. */
export interface SkillFile {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** Markdown. */
  readonly body: string;
  /** What is wrong with it, though it can be used. */
  readonly flaw?: string;
}

const FRONT_MATTER = /^---[ \t]*\n(.*?)(?<=\n)---[ \t]*(?:\n|$)/s;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/**
 * Takes a SKILL.md apart. A skill without a usable name goes by its folder's; one without a description is none, since
 * nobody could tell when to load it. The failure is a few words for the log.
 */
export function parseSkillFile(text: string, folder: string): Result<SkillFile, string> {
  const matter = FRONT_MATTER.exec(text);
  if (matter === null) return failed('it has no front matter');
  let fields: unknown;
  try {
    fields = parse(matter[1] ?? '', { logLevel: 'error' });
  } catch {
    return failed('its front matter is no YAML: texts with “: ” in them need quotes');
  }
  const description = fieldOf(fields, 'description');
  if (typeof description !== 'string' || description.trim() === '') return failed('it has no description');
  const written = fieldOf(fields, 'name');
  const name = isName(written) ? written : folder;
  if (!isName(name)) return failed('neither its name nor its folder’s is a plain word');
  return succeeded({
    name,
    description: description.trim().replace(/[\s\p{Cc}]+/gu, ' '),
    body: text.slice(matter[0].length).trim(),
    ...(name === written ? {} : { flaw: 'its name is missing or no plain word; it goes by its folder’s' }),
  });
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= SKILL_NAME_CHARS && NAME.test(value);
}

function fieldOf(fields: unknown, key: string): unknown {
  return typeof fields === 'object' && fields !== null ? Reflect.get(fields, key) : undefined;
}
