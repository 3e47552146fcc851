import * as vscode from 'vscode';
import type { Mode } from '../../protocol/approval';

interface ModeItem extends vscode.QuickPickItem {
  readonly mode: Mode;
}

const MODES: readonly ModeItem[] = [
  { mode: 'ask', label: 'Ask', detail: 'Reads on its own. Asks before every edit and command.' },
  {
    mode: 'auto_edit',
    label: 'Auto-edit',
    detail: 'Edits files in this folder without asking. Asks before commands.',
  },
  {
    mode: 'bypass',
    label: 'Bypass',
    detail:
      'Edits and runs commands in this folder without asking. Still asks outside it, and for settings and hooks. Off again in the next conversation.',
  },
];

/** Lets the person choose how much the agent may do without asking; undefined when they did not. */
export async function pickMode(current: Mode): Promise<Mode | undefined> {
  const items = MODES.map((item) => (item.mode === current ? { ...item, description: 'now' } : item));
  const picked = await vscode.window.showQuickPick(items, { title: 'Mode of This Conversation', matchOnDetail: true });
  return picked?.mode;
}
