import * as z from 'zod';
import type { JsonObject } from '../../protocol/part';
import { coerceArguments } from './coerceArguments';
import { answered, refused, type CallRun, type Planned, type Tool, type ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';

/** A tool whose arguments are described by a schema, and come typed. */
interface Described<Schema extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  /** Its descriptions are what the model reads about each argument. Unknown keys are ignored. */
  readonly schema: Schema;
  readonly example: z.input<Schema> & JsonObject;
}

/** One that only reads what it may read anyway: there is nothing to ask leave for. */
export interface ReaderSpec<Schema extends z.ZodObject> extends Described<Schema> {
  readonly readOnly: true;
  run(args: z.output<Schema>, host: ToolHost, signal: AbortSignal): Promise<ToolOutcome>;
}

/** One that says what it would do before it does it. */
export interface PlannerSpec<Schema extends z.ZodObject> extends Described<Schema> {
  readonly readOnly: boolean;
  plan(args: z.output<Schema>, host: ToolHost, signal: AbortSignal): Promise<Planned>;
}

/** Makes a tool that answers wrong arguments with words for the model: which field, what is expected, an example. */
export function defineTool<Schema extends z.ZodObject>(spec: ReaderSpec<Schema> | PlannerSpec<Schema>): Tool {
  const { name, description, schema, example, readOnly } = spec;
  const parameters = jsonSchemaOf(schema);
  return {
    name,
    description,
    parameters,
    example,
    readOnly,
    plan: async (args, host, signal) => {
      const given = coerceArguments(args, parameters);
      const read = schema.safeParse(given);
      if (read.success) {
        if ('plan' in spec) return spec.plan(read.data, host, signal);
        return { kind: 'ready', run: (run: CallRun) => spec.run(read.data, host, run.signal) };
      }
      const problems = read.error.issues.map((issue) => describe(issue, given)).join(' ');
      return answered(
        refused(`Wrong arguments for ${name}. ${problems} Example: ${JSON.stringify(example)}`, 'bad arguments'),
      );
    },
  };
}

/** The schema as it is sent to the model: without what only costs it tokens. */
function jsonSchemaOf(schema: z.ZodObject): JsonObject {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return parameters;
}

function describe(issue: z.core.$ZodIssue, args: JsonObject): string {
  const field = issue.path.length === 0 ? 'The arguments' : `"${issue.path.join('.')}"`;
  const [first] = issue.path;
  if (issue.path.length === 1 && typeof first === 'string' && (args[first] ?? null) === null) {
    return issue.code === 'invalid_type' ? `${field} is missing: ${articled(issue.expected)}.` : `${field} is missing.`;
  }
  return issue.code === 'invalid_type'
    ? `${field} must be ${articled(issue.expected)}.`
    : `${field}: ${issue.message}.`;
}

function articled(noun: string): string {
  if (noun === 'int') return 'a whole number';
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
