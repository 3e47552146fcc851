import * as vscode from 'vscode';
import type { LoadedModel } from '../../protocol/status';
import type { WindowFactsWatch } from '../conversations/facts/windowFacts';
import type { ModelServer } from './modelServer';

/** Lets the person choose a model that the server holds in memory, and has it taken out of there. */
export async function unloadModel(server: ModelServer, facts: WindowFactsWatch): Promise<void> {
  const { host, client } = server.current();
  const { signal } = new AbortController();
  const loaded = await client.listLoaded(signal);
  if (!loaded.ok) return tell(vscode.l10n.t('Ollama at {0} does not say what it holds in memory.', host));
  if (loaded.value.length === 0)
    return void vscode.window.showInformationMessage(vscode.l10n.t('Ollama at {0} holds no model in memory.', host));
  const picked = await vscode.window.showQuickPick(loaded.value.map(itemOf), {
    title: vscode.l10n.t('Unload Model'),
    placeHolder: vscode.l10n.t('Its memory is free at once. The next message loads it again.'),
  });
  if (picked === undefined) return;
  const unloaded = await client.unload(picked.label, signal);
  if (!unloaded.ok) tell(vscode.l10n.t('Ollama did not unload {0}. {1}', picked.label, unloaded.failure.detail));
  await facts.askLoaded();
}

function itemOf({ name, size, contextLength }: LoadedModel): vscode.QuickPickItem {
  const facts = [
    ...(size === undefined ? [] : [vscode.l10n.t('{0} GB', (size / 1e9).toFixed(1))]),
    ...(contextLength === undefined ? [] : [vscode.l10n.t('window of {0} tokens', contextLength.toLocaleString())]),
  ];
  return { label: name, description: facts.join(' · ') };
}

function tell(words: string): void {
  void vscode.window.showErrorMessage(words);
}
