import type { JsonObject } from '../../protocol/part';
import { TOOL_NAME_CHARS } from '../base/limits';
import type { Log } from '../base/log';
import { coerceArguments } from './coerceArguments';
import { cappedOutput } from './outputText';
import { refused, type Tool, type ToolHost, type ToolOutcome } from './tool';

/** A tool as the model is told of it. */
export type ToolSignature = Pick<Tool, 'name' | 'description' | 'parameters'>;

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
   * Runs one call. Never throws and never outlives `signal`: a tool that does not end when told to is left alone and
   * its late answer dropped. Content is cut to the limits.
   */
  async execute(name: string, args: JsonObject, host: ToolHost, signal: AbortSignal): Promise<ToolOutcome> {
    const tool = this.find(name);
    if (tool === undefined) return this.#unknown(name);
    if (signal.aborted) return stopped;
    let onAbort = (): void => undefined;
    const abort = new Promise<ToolOutcome>((resolve) => {
      onAbort = () => resolve(stopped);
    });
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const outcome = await Promise.race([this.#run(tool, args, host, signal), abort]);
      return { ...outcome, content: cappedOutput(outcome.content) };
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
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

  async #run(tool: Tool, args: JsonObject, host: ToolHost, signal: AbortSignal): Promise<ToolOutcome> {
    try {
      return await tool.run(args, host, signal);
    } catch (error) {
      if (!signal.aborted) this.#log.error(`${tool.name} failed`, error);
      return refused(`${tool.name} failed because of a fault in the tool itself. Try another way.`, 'failed');
    }
  }
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
