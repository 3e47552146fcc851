import * as vscode from 'vscode';
import { systemPrompt } from '../agent/systemPrompt';
import type { TurnTools } from '../agent/turn';
import type { TurnSettings } from '../conversations/liveServices';
import type { WorkspaceIdentity } from '../storage/change';
import type { ToolRegistry } from '../tools/registry';
import type { ToolHost } from '../tools/tool';
import { folderOf } from './folder';
import type { ModelServer } from './modelServer';
import { contextLength, ollamaKeepAlive } from './settings';

/** What every turn of the window shares. `ripgrep` is the path of the program. */
export interface TurnServices {
  readonly server: ModelServer;
  readonly tools: ToolRegistry;
  readonly ripgrep: string;
}

/** Reads what one turn needs from the editor: settings, folder, trust and the abilities of the model. */
export async function turnSettings(
  model: string,
  workspace: WorkspaceIdentity,
  services: TurnServices,
  signal: AbortSignal,
): Promise<TurnSettings> {
  const { server } = services;
  const abilities = await server.abilities(model, signal);
  const folder = folderOf(workspace);
  const host = toolHost(folder, services.ripgrep);
  // What the server does not say is tried: old servers say nothing of abilities.
  const tools = host !== undefined && abilities.tools !== false ? withHost(services.tools, host) : NO_TOOLS;
  const keepAlive = ollamaKeepAlive();
  return {
    client: server.current().client,
    tools,
    systemPrompt: systemPrompt({
      ...(folder === undefined || !vscode.workspace.isTrusted ? {} : { folder: folder.name }),
      tools: tools.definitions.length > 0,
    }),
    background: '',
    vision: abilities.vision === true,
    ...(abilities.trainedContext === undefined ? {} : { trainedContext: abilities.trainedContext }),
    contextLength: Math.min(contextLength(), abilities.trainedContext ?? Number.POSITIVE_INFINITY),
    ...(keepAlive === undefined ? {} : { keepAlive }),
    ...(abilities.thinking === true ? { think: true } : {}),
  };
}

/** Only files of a trusted folder on this machine are read. */
function toolHost(folder: vscode.WorkspaceFolder | undefined, ripgrepPath: string): ToolHost | undefined {
  if (folder === undefined || folder.uri.scheme !== 'file' || !vscode.workspace.isTrusted) return undefined;
  return { root: folder.uri.fsPath, ripgrepPath };
}

function withHost(registry: ToolRegistry, host: ToolHost): TurnTools {
  return {
    definitions: registry.definitions(),
    execute: (name, args, signal) => registry.execute(name, args, host, signal),
    malformed: (name, written) => registry.malformed(name, written),
    repair: (name, args) => registry.repair(name, args),
    isReadOnly: (name) => registry.isReadOnly(name),
  };
}

const NO_TOOLS: TurnTools = {
  definitions: [],
  execute: (name) => Promise.resolve(noTool(name)),
  malformed: noTool,
};

function noTool(name: string): { readonly ok: false; readonly content: string; readonly summary: string } {
  return {
    ok: false,
    content: `There is no tool "${name}" in this window. Answer without tools.`,
    summary: 'no tools here',
  };
}
