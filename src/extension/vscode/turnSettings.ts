import * as vscode from 'vscode';
import { backgroundBytes, backgroundOf } from '../agent/context/background';
import { globalFolder } from '../agent/context/places';
import type { Skill } from '../agent/context/skills';
import { systemPrompt } from '../agent/systemPrompt';
import type { TurnTools } from '../agent/turn';
import type { Log } from '../base/log';
import type { TurnAsked, TurnSettings } from '../conversations/liveServices';
import type { ToolSession, ToolSessions } from '../conversations/turns/toolSessions';
import { loadSkillTool } from '../tools/loadSkill';
import { ToolRegistry } from '../tools/registry';
import { answered, refused, type Tool, type ToolOutcome } from '../tools/tool';
import { personsHome, type ContextFiles } from './contextFiles';
import type { ExternalTools } from './externalTools';
import { folderOf, rootOf } from './folder';
import type { ModelServer } from './modelServer';
import { ollamaKeepAlive } from './settings';
import { toolHost } from './toolHost';

/** What every turn of the window shares. `tools` work in the folder; `ripgrep` is the path of the program. */
export interface TurnServices {
  readonly server: ModelServer;
  readonly tools: readonly Tool[];
  readonly external: ExternalTools;
  readonly sessions: ToolSessions;
  /** Folders with data of this extension. */
  readonly ownFolders: readonly string[];
  readonly context: ContextFiles;
  readonly ripgrep: string;
  readonly log: Log;
  /** Whether no turn but the one that begins goes on with the model. */
  isAlone(model: string): boolean;
}

/** Reads what one turn needs from the editor: settings, folder, trust, files that go along, abilities of the model. */
export async function turnSettings(
  { conversationId, model, workspace, messages }: TurnAsked,
  services: TurnServices,
  signal: AbortSignal,
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
  const contextWindow = server.window(model, abilities, services.isAlone(model));
  const background = backgroundOf({ texts: context.texts, skills, reads }, backgroundBytes(contextWindow));
  const session = services.sessions.forTurn(conversationId, signal);
  const vision = abilities.vision === true;
  const keepAlive = ollamaKeepAlive();
  const think = server.think(model, abilities);
  return {
    client: server.current().client,
    tools: turnTools(reads ? root : undefined, skills, session, vision, services),
    systemPrompt: systemPrompt({
      ...(folder === undefined || !vscode.workspace.isTrusted ? {} : { folder: folder.name }),
      reads,
      background: background !== '',
    }),
    background,
    vision,
    ...(abilities.trainedContext === undefined ? {} : { trainedContext: abilities.trainedContext }),
    contextLength: contextWindow,
    ...(keepAlive === undefined ? {} : { keepAlive }),
    ...(think === undefined ? {} : { think }),
  };
}

/** The tools of the folder, and the one that loads skills when there are any: that works without a folder, too. */
function turnTools(
  root: string | undefined,
  skills: readonly Skill[],
  session: ToolSession,
  vision: boolean,
  services: TurnServices,
): TurnTools {
  const { tools: ours, external, ripgrep, ownFolders, log } = services;
  const tools = [
    ...(root === undefined ? [] : [...ours, ...external.tools(ours)]),
    ...(skills.length === 0 ? [] : [loadSkillTool]),
  ];
  const touched = root ?? personsFolder();
  if (tools.length === 0 || touched === undefined) return NO_TOOLS;
  const hasFolder = root !== undefined;
  return new ToolRegistry(tools, log).bound(
    toolHost({ root: touched, hasFolder, ripgrep, ownFolders, session, skills, vision }),
  );
}

function personsFolder(): string | undefined {
  const home = personsHome();
  return home === undefined ? undefined : globalFolder(home);
}

const NO_TOOLS: TurnTools = {
  definitions: [],
  plan: (name) => Promise.resolve(answered(noTool(name))),
  malformed: noTool,
};

function noTool(name: string): ToolOutcome {
  return refused(`There is no tool "${name}" in this window. Answer without tools.`, 'no tools here');
}
