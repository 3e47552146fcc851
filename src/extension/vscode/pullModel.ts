import * as vscode from 'vscode';
import type { PullState, WindowFacts } from '../../protocol/status';
import { suggestedModels } from '../../protocol/suggestedModels';
import type { WindowFactsWatch } from '../conversations/facts/windowFacts';
import { isModelName, isSameModel } from '../ollama/modelName';

/** Asks for a model and has the server get it. Where no view shows how far it is, a notification does. */
export async function pullModel(facts: WindowFactsWatch, isViewVisible: () => boolean): Promise<void> {
  const model = await askForName(facts.current.memory);
  if (model === undefined) return;
  const reply = facts.pulls.start(model);
  if (!reply.ok) void vscode.window.showErrorMessage(reply.message);
  else if (!isViewVisible()) void showProgress(facts, model);
}

/** A name from the list, or whatever is typed if it can be one; undefined: none was chosen. */
function askForName(memory: number | undefined): Promise<string | undefined> {
  const suggested = suggestedModels(memory).models.map(({ name, bytes, abilities }): vscode.QuickPickItem => {
    return { label: name, description: `${vscode.l10n.t('{0} GB', gigabytes(bytes))} · ${abilities}` };
  });
  const pick = vscode.window.createQuickPick();
  pick.title = vscode.l10n.t('Pull Model');
  pick.placeholder = vscode.l10n.t('Name of a model, such as qwen3:8b. All of them: ollama.com/library');
  pick.items = suggested;
  pick.onDidChangeValue((value) => {
    const typed = value.trim();
    const own = typed === '' || suggested.some(({ label }) => label === typed) ? [] : [typedItem(typed)];
    pick.items = [...own, ...suggested];
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const name = pick.selectedItems[0]?.label;
      if (name === undefined || !isModelName(name)) return;
      resolve(name);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function typedItem(typed: string): vscode.QuickPickItem {
  const description = isModelName(typed)
    ? vscode.l10n.t('Pull this model')
    : vscode.l10n.t('This is no name of a model. Write it like qwen3:8b or someone/model:tag.');
  // `$(name)` in what is typed is text, not an icon.
  return { label: typed.replaceAll('$(', '$\u200b('), description, alwaysShow: true };
}

async function showProgress(facts: WindowFactsWatch, model: string): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Pulling {0}', model),
    cancellable: true,
  };
  const ended = await vscode.window.withProgress(options, (progress, token) => {
    token.onCancellationRequested(() => facts.pulls.cancel(model));
    return followed(facts, model, progress);
  });
  if (ended?.kind === 'failed') void vscode.window.showErrorMessage(`${model}: ${ended.why}`);
}

/** Resolves with the failure of the pull, or with nothing when it is over otherwise. */
function followed(
  facts: WindowFactsWatch,
  model: string,
  progress: vscode.Progress<{ readonly message?: string; readonly increment?: number }>,
): Promise<PullState | undefined> {
  return new Promise((resolve) => {
    let shown = 0;
    const look = ({ pulls = [] }: WindowFacts): void => {
      // It may be on its way already, asked for under another of its names.
      const pull = pulls.find((state) => isSameModel(state.model, model));
      if (pull?.kind !== 'pulling') {
        stop();
        resolve(pull);
        return;
      }
      const { completed = 0, total = 0 } = pull;
      const percent = total === 0 ? 0 : (completed / total) * 100;
      // A layer that begins makes the whole larger: the bar does not go back, it waits.
      progress.report({ message: messageOf(pull), increment: Math.max(0, percent - shown) });
      shown = Math.max(shown, percent);
    };
    const stop = facts.listen(look);
    look(facts.current);
  });
}

function messageOf({ status, completed, total }: Extract<PullState, { kind: 'pulling' }>): string {
  if (completed === undefined || total === undefined) return status;
  return vscode.l10n.t('{0} of {1} GB', gigabytes(completed), gigabytes(total));
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
