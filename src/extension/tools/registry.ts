import type { JsonObject } from '../../protocol/part';
import { TOOL_NAME_CHARS } from '../base/limits';
import type { Log } from '../base/log';
import { coerceArguments } from './coerceArguments';
import { cappedOutput } from './outputText';
import { answered, refused, type CallRun, type Planned, type Tool, type ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';

/** A tool as the model is told of it. */
export type ToolSignature = Pick<Tool, 'name' | 'description' | 'parameters'>;

/** The tools of one agent with what they may touch. */
export interface BoundTools {
  readonly definitions: readonly ToolSignature[];
  plan(name: string, args: JsonObject, signal: AbortSignal): Promise<Planned>;
  malformed(name: string, written: string): ToolOutcome;
  repair(name: string, args: JsonObject): { readonly name: string; readonly arguments: JsonObject };
  isReadOnly(name: string): boolean;
}

/** The tools of one agent, by name. */
export class ToolRegistry {
  readonly #tools: readonly Tool[];
  readonly #log: Log;

  constructor(tools: readonly Tool[], log: Log) {
    this.#tools = tools;
    this.#log = log;
  }

  /** What to send to the model. */
  definitions(): readonly ToolSignature[] {
    return this.#tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  }

  /** All of this, for a turn in which tools may touch what `host` gives them. */
  bound(host: ToolHost): BoundTools {
    return {
      definitions: this.definitions(),
      plan: (name, args, signal) => this.plan(name, args, host, signal),
      malformed: (name, written) => this.malformed(name, written),
      repair: (name, args) => this.repair(name, args),
      isReadOnly: (name) => this.isReadOnly(name),
    };
  }

  /** The tool that the model means: exact name first, then without regard to case and to what some models put around it. */
  find(name: string): Tool | undefined {
    // What is much longer than a name with all its wrappings is none: taking it apart could take minutes.
    if (name.length > TOOL_NAME_CHARS) return undefined;
    const bare = bareName(name);
    return this.#tools.find((tool) => tool.name === name) ?? this.#tools.find((tool) => bareName(tool.name) === bare);
  }

  /** The call as it is meant: the tool's own name, arguments as it takes them. What is meant for no tool stays as it is. */
  repair(name: string, args: JsonObject): { readonly name: string; readonly arguments: JsonObject } {
    const tool = this.find(name);
    return tool === undefined
      ? { name, arguments: args }
      : { name: tool.name, arguments: coerceArguments(args, tool.parameters) };
  }

  /** Whether a call leaves everything as it is; one to a tool that does not exist does. */
  isReadOnly(name: string): boolean {
    return this.find(name)?.readOnly ?? true;
  }

  /**
   * Says what a call would do, with nothing done yet. Neither this nor running it throws or outlives its signal: a tool
   * that does not end when told to is left alone and its late answer dropped. Content is cut to the limits.
   */
  async plan(name: string, args: JsonObject, host: ToolHost, signal: AbortSignal): Promise<Planned> {
    const tool = this.find(name);
    if (tool === undefined) return answered(this.#unknown(name));
    const fault = (error: unknown): Planned => answered(this.#fault(tool, error, signal));
    const planned = await until(signal, async () => tool.plan(args, host, signal), answered(stopped)).catch(fault);
    if (planned.kind === 'answered') return answered(capped(planned.outcome));
    return { ...planned, run: (run) => this.#run(tool, (given) => planned.run(given), run) };
  }

  /** The answer to a call whose arguments were no object. `written` is what the model wrote instead. */
  malformed(name: string, written: string): ToolOutcome {
    const tool = this.find(name);
    if (tool === undefined) return this.#unknown(name);
    return refused(
      `The arguments of ${tool.name} must be one JSON object, such as ${JSON.stringify(tool.example)}. Received: ${written}`,
      'bad arguments',
    );
  }

  #unknown(name: string): ToolOutcome {
    const available = this.#tools.map((tool) => tool.name).join(', ');
    return refused(cappedOutput(`Unknown tool "${name}". Available: ${available}.`), 'unknown tool');
  }

  async #run(tool: Tool, start: (run: CallRun) => Promise<ToolOutcome>, run: CallRun): Promise<ToolOutcome> {
    const { signal } = run;
    const fault = (error: unknown): ToolOutcome => this.#fault(tool, error, signal);
    return capped(await until(signal, async () => start(run), stopped).catch(fault));
  }

  #fault(tool: Tool, error: unknown, signal: AbortSignal): ToolOutcome {
    if (!signal.aborted) this.#log.error(`${tool.name} failed`, error);
    return refused(`${tool.name} failed because of a fault in the tool itself. Try another way.`, 'failed');
  }
}

/** What `work` answers, or `otherwise` as soon as the signal aborts. */
async function until<T>(signal: AbortSignal, work: () => Promise<T>, otherwise: T): Promise<T> {
  if (signal.aborted) return otherwise;
  let onAbort = (): void => undefined;
  const abort = new Promise<T>((resolve) => {
    onAbort = () => resolve(otherwise);
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(), abort]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function capped(outcome: ToolOutcome): ToolOutcome {
  return { ...outcome, content: cappedOutput(outcome.content) };
}

const stopped: ToolOutcome = refused('Stopped by the user before it ended.', 'stopped');

/**
 * `functions.Read_File:0<|call|>` → `read_file`: models copy such wrappings from their training, be it before the name,
 * behind it or around it.
 */
function bareName(name: string): string {
  return name
    .replace(/^(?:\s*<\|[^|>]*\|>)+/, '')
    .replace(/<\|.*$/s, '')
    .trim()
    .replace(/^["'`]+|["'`]+$/g, '')
    .replace(/^(?:functions?|tools?)[.:/]/i, '')
    .replace(/(?::\d+|\(\))$/, '')
    .trim()
    .toLowerCase();
}
