import * as vscode from 'vscode';
import { parseAddress, type ServerAddress } from '../ollama/address';
import type { Result } from '../base/result';

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

/** Calls `then` when a setting of ours changed. */
export function onSettingsChange(then: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SECTION)) then();
  });
}
