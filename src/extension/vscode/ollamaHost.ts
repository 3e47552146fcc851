import * as vscode from 'vscode';
import { parseAddress } from '../ollama/address';
import { ollamaAddress, setOllamaHost } from './settings';

/** Asks for the address of Ollama and keeps it in the settings of this machine. */
export async function chooseHost(): Promise<void> {
  const current = ollamaAddress();
  const host = await vscode.window.showInputBox({
    title: vscode.l10n.t('Ollama Host'),
    prompt: vscode.l10n.t('Where Ollama answers, as seen from the machine that runs this folder.'),
    value: current.ok ? current.value.display : '',
    placeHolder: '127.0.0.1:11434',
    validateInput: (text) => {
      const parsed = parseAddress(text);
      return parsed.ok ? undefined : parsed.failure;
    },
  });
  if (host !== undefined) await setOllamaHost(host.trim());
}

/** Starts `ollama serve` in a terminal, where the person sees what it says. */
export function startOllama(): void {
  const terminal = vscode.window.createTerminal({ name: 'Ollama' });
  terminal.show();
  terminal.sendText('ollama serve');
}
