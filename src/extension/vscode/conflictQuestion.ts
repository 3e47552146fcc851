import * as path from 'node:path';
import * as vscode from 'vscode';
import type { AskAboutConflict, Conflict } from '../conversations/undo/undo';
import { blobOf } from '../storage/rows/encode';
import { versionUri } from './changeDocuments';

const [OVERWRITE, SKIP, OPEN_DIFF] = ['Overwrite', 'Skip', 'Open Diff'] as const;

/**
 * Asks about a file that is not as the agent left it. Whoever opens the difference is asked again beside it, since a modal
 * question would cover it. No answer cancels all of it.
 */
export const askAboutConflict: AskAboutConflict = async (conflict) => {
  const words = wordsFor(conflict);
  const first = await vscode.window.showWarningMessage(
    words.question,
    { modal: true, detail: words.detail },
    OVERWRITE,
    SKIP,
    OPEN_DIFF,
  );
  if (first !== OPEN_DIFF) return answerOf(first);
  await showDifference(conflict);
  return answerOf(await vscode.window.showWarningMessage(`${words.question} ${words.detail}`, OVERWRITE, SKIP));
};

/** What is there now beside what would take its place, which the history knows by its hash. */
async function showDifference({ path: file, now, to }: Conflict): Promise<void> {
  const left = now.kind === 'absent' ? versionUri(file, undefined) : vscode.Uri.file(file);
  const right = versionUri(file, to === undefined ? undefined : blobOf(to.bytes));
  const title = `${path.basename(file)} (now ↔ overwritten)`;
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
}

function answerOf(chosen: string | undefined): 'overwrite' | 'skip' | 'cancel' {
  if (chosen === OVERWRITE) return 'overwrite';
  return chosen === SKIP ? 'skip' : 'cancel';
}

function wordsFor({ path: file, when, now, to }: Conflict): { readonly question: string; readonly detail: string } {
  const name = path.basename(file);
  const what = now.kind === 'absent' ? 'was deleted' : 'was changed';
  const moment = when === 'since' ? "after the agent's change" : "between the agent's changes";
  const otherwise = to === undefined ? 'Overwrite deletes it.' : 'Overwrite replaces what is there now.';
  return {
    question: `${name} ${what} ${moment}.`,
    detail: `${now.kind === 'absent' ? 'Overwrite makes it again.' : otherwise} Skip leaves it as it is.`,
  };
}
