import * as vscode from 'vscode';
import type { Message } from '../../protocol/message';
import { backgroundBytes, backgroundOf } from '../agent/context/background';
import { globalFolder } from '../agent/context/places';
import { skillSource } from '../agent/context/skillSource';
import type { Skill } from '../agent/context/skills';
import { systemPrompt } from '../agent/systemPrompt';
import type { TurnTools } from '../agent/turn';
import type { Log } from '../base/log';
import type { TurnSettings } from '../conversations/liveServices';
import type { WorkspaceIdentity } from '../storage/change';
import { loadSkillTool } from '../tools/loadSkill';
import { ToolRegistry } from '../tools/registry';
import type { Tool, ToolHost } from '../tools/tool';
import { personsHome, type ContextFiles } from './contextFiles';
import { folderOf, rootOf } from './folder';
import type { ModelServer } from './modelServer';
import { contextLength, ollamaKeepAlive } from './settings';

/** What every turn of the window shares. `tools` work in the folder; `ripgrep` is the path of the program. */
export interface TurnServices {
  readonly server: ModelServer;
  readonly tools: readonly Tool[];
  readonly context: ContextFiles;
  readonly ripgrep: string;
  readonly log: Log;
}

/** Reads what one turn needs from the editor: settings, folder, trust, files that go along, abilities of the model. */
export async function turnSettings(
  model: string,
  workspace: WorkspaceIdentity,
  services: TurnServices,
  signal: AbortSignal,
  messages: readonly Message[],
): Promise<TurnSettings> {
  const { server } = services;
  const abilities = await server.abilities(model, signal);
  const folder = folderOf(workspace);
  const root = rootOf(folder);
  const context = await services.context.gather(root, messages, signal);
  // What the server does not say is tried: old servers say nothing of abilities.
  const calls = abilities.tools !== false;
  const reads = calls && root !== undefined;
  const skills = calls && vscode.workspace.isTrusted ? context.skills : [];
  const contextWindow = Math.min(contextLength(), abilities.trainedContext ?? Number.POSITIVE_INFINITY);
  const background = backgroundOf({ texts: context.texts, skills, reads }, backgroundBytes(contextWindow));
  const keepAlive = ollamaKeepAlive();
  return {
    client: server.current().client,
    tools: turnTools(reads ? root : undefined, skills, services),
    systemPrompt: systemPrompt({
      ...(folder === undefined || !vscode.workspace.isTrusted ? {} : { folder: folder.name }),
      reads,
      background: background !== '',
    }),
    background,
    vision: abilities.vision === true,
    ...(abilities.trainedContext === undefined ? {} : { trainedContext: abilities.trainedContext }),
    contextLength: contextWindow,
    ...(keepAlive === undefined ? {} : { keepAlive }),
    ...(abilities.thinking === true ? { think: true } : {}),
  };
}

/** The tools of the folder, and the one that loads skills when there are any: that works without a folder, too. */
function turnTools(root: string | undefined, skills: readonly Skill[], services: TurnServices): TurnTools {
  const tools = [...(root === undefined ? [] : services.tools), ...(skills.length === 0 ? [] : [loadSkillTool])];
  const touched = root ?? personsFolder();
  if (tools.length === 0 || touched === undefined) return NO_TOOLS;
  const host = { root: touched, ripgrepPath: services.ripgrep, skills: skillSource(skills) };
  return withHost(new ToolRegistry(tools, services.log), host);
}

function personsFolder(): string | undefined {
  const home = personsHome();
  return home === undefined ? undefined : globalFolder(home);
}

function withHost(registry: ToolRegistry, host: ToolHost): TurnTools {
  return {
    definitions: registry.definitions(),
    execute: (name, args, signal) => registry.execute(name, args, host, signal),
    malformed: (name, written) => registry.malformed(name, written),
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
