import * as vscode from 'vscode';
import type { JsonObject } from '../../protocol/part';
import type { Log } from '../base/log';
import { foreignTools, type ForeignTool } from '../tools/foreignTool';
import type { Tool } from '../tools/tool';
import { withoutIcons } from './plainLabel';
import { externalToolNames, setExternalToolNames } from './settings';

/**
 * The tools of other extensions and of MCP servers that the person has chosen, as far as they are there now: an MCP
 * server's are there once it runs. A name that nothing is known of is told to the log once.
 */
export class ExternalTools {
  readonly #log: Log;
  #missed: ReadonlySet<string> = new Set();

  constructor(log: Log) {
    this.#log = log.sub('external tools');
  }

  /** As ours are called. `ours`: the tools whose names they must not take. */
  tools(ours: readonly Tool[]): readonly Tool[] {
    const described = this.#chosen().map(({ name, description, inputSchema }): ForeignTool => ({
      name,
      description,
      schema: inputSchema,
      invoke: (args, signal) => invokeExternalTool(name, args, signal),
    }));
    return foreignTools(
      described,
      ours.map(({ name }) => name),
    );
  }

  #chosen(): readonly vscode.LanguageModelToolInformation[] {
    const names = externalToolNames();
    const there = toolsThere().filter(({ name }) => names.includes(name));
    const missing = names.filter((name) => !there.some((tool) => tool.name === name));
    for (const name of missing)
      if (!this.#missed.has(name)) this.#log.warn(`the setting names a tool that is not there: ${name}`);
    this.#missed = new Set(missing);
    return there;
  }
}

/** Answers the result as text, which is as untrusted as any. Rejects as the tool does. */
async function invokeExternalTool(name: string, input: JsonObject, signal: AbortSignal): Promise<string> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
    return content.map(textOfPart).join('\n');
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Lets the person choose among the tools that are there, and the ones that the setting names already. */
export async function chooseExternalTools(): Promise<void> {
  const names = externalToolNames();
  const there = toolsThere();
  const missing = names.filter((name) => !there.some((tool) => tool.name === name));
  const items: readonly vscode.QuickPickItem[] = [
    ...there.map(({ name, description }) => ({
      label: name,
      detail: withoutIcons(description),
      picked: names.includes(name),
    })),
    ...missing.map((label) => ({ label, description: 'Not there now', picked: true })),
  ];
  if (items.length === 0) {
    void vscode.window.showInformationMessage('No other extension and no MCP server offers a tool in this window.');
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: 'External Tools',
    placeHolder: 'Tools that the agent may call. Each call asks first',
    canPickMany: true,
    matchOnDetail: true,
  });
  if (picked !== undefined) await setExternalToolNames(picked.map(({ label }) => label));
}

/** Editors that are built on VS Code may lack this, or answer nothing. */
function toolsThere(): readonly vscode.LanguageModelToolInformation[] {
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  return lm?.invokeTool === undefined ? [] : (lm.tools ?? []);
}

function textOfPart(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value) ?? '';
  if (!(part instanceof vscode.LanguageModelDataPart)) return '[Something that cannot be shown as text]';
  return /^text\/|[/+]json$/.test(part.mimeType)
    ? new TextDecoder().decode(part.data)
    : `[${part.mimeType}, ${part.data.byteLength} bytes: left out]`;
}
