import * as vscode from 'vscode';
import { parseAddress, type ServerAddress } from '../ollama/address';
import type { Result } from '../base/result';
import type { ThinkSetting } from '../ollama/thinkLevel';
import { contextLengthSetting, keepAliveSetting, namesSetting, stallSetting, textSetting } from './settingValues';

const SECTION = 'holdfast';

/** As it stands in the settings, whatever that is. */
function written(name: string): unknown {
  return vscode.workspace.getConfiguration(SECTION).get<unknown>(name);
}

/** The address as it is written: the setting, else `OLLAMA_HOST` of the extension host, else Ollama's default. */
function writtenHost(): string {
  const setting = textSetting(written('ollama.host'));
  return setting === '' ? (process.env['OLLAMA_HOST'] ?? '') : setting;
}

/** Where the model server is. The failure is a sentence for the person. */
export function ollamaAddress(): Result<ServerAddress, string> {
  return parseAddress(writtenHost());
}

export function ollamaKeepAlive(): string | undefined {
  return keepAliveSetting(written('ollama.keepAlive'));
}

/** Window in tokens that models run with; a model trained with less gets less. */
export function contextLength(): number {
  return contextLengthSetting(written('ollama.contextLength'));
}

const THINK_SETTINGS: ReadonlySet<unknown> = new Set<ThinkSetting>([
  'default',
  'on',
  'off',
  'low',
  'medium',
  'high',
  'max',
]);

/** How much the person wants models to think. */
export function thinking(): ThinkSetting {
  const setting = written('ollama.thinking');
  return isThinkSetting(setting) ? setting : 'default';
}

function isThinkSetting(value: unknown): value is ThinkSetting {
  return THINK_SETTINGS.has(value);
}

/** How long (ms) an answer that has begun may be silent; undefined, unless the setting says otherwise: as long as it wants. */
export function stallTimeoutMs(): number | undefined {
  return stallSetting(written('ollama.stallTimeout'));
}

/** Makes another address the server's, on this machine only. */
export async function setOllamaHost(host: string): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update('ollama.host', host, vscode.ConfigurationTarget.Global);
}

/** Names of the tools of others that the agent may call. Of this machine: no repository has a say in it. */
export function externalToolNames(): readonly string[] {
  return namesSetting(written('tools.external'));
}

export async function setExternalToolNames(names: readonly string[]): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update('tools.external', names, vscode.ConfigurationTarget.Global);
}

/** Shows the setting of the window in the editor's own settings. */
export async function openWindowSetting(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `${SECTION}.ollama.contextLength`);
}

/** Calls `then` when a setting of ours changed. */
export function onSettingsChange(then: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SECTION)) then();
  });
}
