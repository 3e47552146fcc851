import * as vscode from 'vscode';
import { parseAddress, type ServerAddress } from '../ollama/address';
import type { Result } from '../base/result';
import type { ThinkSetting } from '../ollama/thinkLevel';

const SECTION = 'holdfast';

/** Window (tokens) when the setting does not say: what an agent needs at least, and most machines can hold. */
const DEFAULT_CONTEXT_LENGTH = 32_768;

/** The address as it is written: the setting, else `OLLAMA_HOST` of the extension host, else Ollama's default. */
function writtenHost(): string {
  const setting = vscode.workspace.getConfiguration(SECTION).get<string>('ollama.host', '').trim();
  return setting === '' ? (process.env['OLLAMA_HOST'] ?? '') : setting;
}

/** Where the model server is. The failure is a sentence for the person. */
export function ollamaAddress(): Result<ServerAddress, string> {
  return parseAddress(writtenHost());
}

export function ollamaKeepAlive(): string | undefined {
  const setting = vscode.workspace.getConfiguration(SECTION).get<string>('ollama.keepAlive', '').trim();
  return setting === '' ? undefined : setting;
}

/** Window in tokens that models run with; a model trained with less gets less. */
export function contextLength(): number {
  const setting = vscode.workspace
    .getConfiguration(SECTION)
    .get<number>('ollama.contextLength', DEFAULT_CONTEXT_LENGTH);
  return Number.isInteger(setting) && setting >= 2_048 ? setting : DEFAULT_CONTEXT_LENGTH;
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
  const setting = vscode.workspace.getConfiguration(SECTION).get<unknown>('ollama.thinking');
  return isThinkSetting(setting) ? setting : 'default';
}

function isThinkSetting(value: unknown): value is ThinkSetting {
  return THINK_SETTINGS.has(value);
}

/** How long (ms) an answer that has begun may be silent; undefined, unless the setting says otherwise: as long as it wants. */
export function stallTimeoutMs(): number | undefined {
  const seconds = vscode.workspace.getConfiguration(SECTION).get<number>('ollama.stallTimeout', 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : undefined;
}

/** Makes another address the server's, on this machine only. */
export async function setOllamaHost(host: string): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update('ollama.host', host, vscode.ConfigurationTarget.Global);
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
