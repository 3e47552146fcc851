import { createHash } from 'node:crypto';
import type { JsonObject } from '../../protocol/part';
import { enclosed, neutralised } from '../base/frame';
import {
  FOREIGN_DESCRIPTION_CHARS,
  FOREIGN_SCHEMA_CHARS,
  FOREIGN_TOOLS,
  FOREIGN_WORDS_CHARS,
  FOREIGN_NAME_CHARS,
} from '../base/limits';
import { tamedJson } from '../base/tameJson';
import { cutAt } from '../base/text';
import { coerceArguments, isJsonObject } from './coerceArguments';
import { cappedOutput, counted } from './outputText';
import { answered, refused, type CallRun, type Tool, type ToolOutcome } from './tool';

/** A tool of another extension or of an MCP server, as it describes itself. None of it is to be trusted. */
export interface ForeignTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, or whatever it gave for one. */
  readonly schema: unknown;
  /** Whose it is, when that is known. */
  readonly from?: string;
  /** Does it, and answers what the model reads. */
  invoke(args: JsonObject, signal: AbortSignal): Promise<string>;
}

/** Tools of others as ours are called. `ours`: names that they must not take. */
export function foreignTools(described: readonly ForeignTool[], ours: readonly string[]): readonly Tool[] {
  const taken = new Set(ours.map((name) => name.toLowerCase()));
  return described.slice(0, FOREIGN_TOOLS).map((foreign) => {
    const name = freeName(foreign.name, taken);
    taken.add(name.toLowerCase());
    return toolOf(foreign, name);
  });
}

function toolOf(foreign: ForeignTool, name: string): Tool {
  const parameters = parametersOf(foreign.schema);
  return {
    name,
    description: neutralised(cutAt(foreign.description.trim(), FOREIGN_DESCRIPTION_CHARS)),
    parameters,
    example: {},
    readOnly: false,
    plan: (args) => {
      const given = coerceArguments(args, parameters);
      const missing = requiredOf(parameters).filter((key) => !Object.hasOwn(given, key));
      if (missing.length > 0) {
        const words = `Wrong arguments for ${name}. Missing: ${missing.map((key) => JSON.stringify(key)).join(', ')}.`;
        return Promise.resolve(answered(refused(words, 'bad arguments')));
      }
      const { from } = foreign;
      return Promise.resolve({
        kind: 'ready',
        action: { kind: 'other', tool: name, arguments: given, ...(from === undefined ? {} : { from }) },
        run: (run) => invoked(foreign, name, given, run),
      });
    },
  };
}

async function invoked(foreign: ForeignTool, name: string, args: JsonObject, run: CallRun): Promise<ToolOutcome> {
  try {
    const text = cappedOutput(await foreign.invoke(args, run.signal));
    const lines = text === '' ? 0 : text.split('\n').length;
    const body = text === '' ? '(It answered nothing.)' : neutralised(text);
    return {
      ok: true,
      content: enclosed('foreign_result', { tool: name }, body),
      summary: counted(lines, 'line', 'lines'),
    };
  } catch (error) {
    if (run.signal.aborted) return refused('Stopped.', 'stopped');
    const why = error instanceof Error ? error.message : String(error);
    return refused(`${name} failed: ${neutralised(cutAt(why, FOREIGN_WORDS_CHARS))}`, 'failed');
  }
}

/**
 * Models take few characters in a name, and what they call a tool is looked for without regard to case. One that cannot
 * keep its name has a mark of it: rules are about names, and must not come to mean another tool when others come or go.
 */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const safe = cutAt(wanted, FOREIGN_NAME_CHARS).replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  if (safe !== '' && safe === wanted && !taken.has(safe.toLowerCase())) return safe;
  const mark = createHash('sha256').update(wanted).digest('hex').slice(0, NAME_MARK_CHARS);
  for (let number = 1; ; number += 1) {
    const ending = `_${mark}${number === 1 ? '' : `_${number}`}`;
    const candidate = `${cutAt(safe === '' ? 'tool' : safe, FOREIGN_NAME_CHARS - ending.length)}${ending}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

const NAME_MARK_CHARS = 8;

const NO_SCHEMA: JsonObject = { type: 'object' };

/** The schema where it is one of an object, of bounded size and depth, without what looks like a mark of ours. */
function parametersOf(schema: unknown): JsonObject {
  try {
    // Written and read again: what has getters, cycles or no end is none.
    const json: unknown = JSON.stringify(schema);
    if (typeof json !== 'string' || json.length > FOREIGN_SCHEMA_CHARS) return NO_SCHEMA;
    const plain = tamedJson(JSON.parse(neutralised(json)));
    return isJsonObject(plain) && plain['type'] === 'object' ? plain : NO_SCHEMA;
  } catch {
    return NO_SCHEMA;
  }
}

function requiredOf(parameters: JsonObject): readonly string[] {
  const required = parameters['required'];
  return Array.isArray(required) ? required.filter((key): key is string => typeof key === 'string') : [];
}
