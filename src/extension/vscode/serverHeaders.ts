import * as vscode from 'vscode';
import * as z from 'zod';
import { headerNameFault, headerValueFault } from '../ollama/headerRules';
import type { ServerAddress } from '../ollama/address';
import { ollamaAddress } from './settings';

const storedSchema = z.record(z.string(), z.string());

/**
 * Headers that a server behind a gate wants, such as `Authorization`. They are secrets: the editor keeps them, each set
 * under the address of its server, so that no other server ever gets them. They are neither logged nor in the settings.
 */
export class ServerHeaders {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** The headers for a server, by name. Rejects when the editor cannot read its secrets. */
  async of(baseUrl: string): Promise<Readonly<Record<string, string>>> {
    const stored = await this.#secrets.get(keyOf(baseUrl));
    return stored === undefined ? {} : storedFrom(stored);
  }

  /** Sets one header of a server; an empty value removes it. Rejects as {@link of} does. */
  async set(baseUrl: string, name: string, value: string): Promise<void> {
    const others = Object.entries(await this.of(baseUrl)).filter(
      ([other]) => other.toLowerCase() !== name.toLowerCase(),
    );
    const headers = value === '' ? others : [...others, [name, value] as const];
    if (headers.length === 0) await this.#secrets.delete(keyOf(baseUrl));
    else await this.#secrets.store(keyOf(baseUrl), JSON.stringify(Object.fromEntries(headers)));
  }
}

interface HeaderItem extends vscode.QuickPickItem {
  /** Of a header that is set already. */
  readonly name?: string;
}

/** Lets the person add, change and remove a header for the server that the settings name. `changed`: one was. */
export async function setServerHeaders(headers: ServerHeaders, changed: () => void): Promise<void> {
  const address = ollamaAddress();
  if (!address.ok) return void vscode.window.showErrorMessage(address.failure);
  if (address.value.loopback) {
    const words = vscode.l10n.t(
      'Ollama is looked for at {0}, which is this machine: no headers are sent there. Choose a remote host first.',
      address.value.display,
    );
    return void vscode.window.showInformationMessage(words);
  }
  const { baseUrl } = address.value;
  try {
    const name = await askForName(Object.keys(await headers.of(baseUrl)), address.value);
    const value = name === undefined ? undefined : await askForValue(name, address.value);
    if (name === undefined || value === undefined) return;
    await headers.set(baseUrl, name, value.trim());
    changed();
  } catch {
    // What the editor says about its secrets may quote them.
    void vscode.window.showErrorMessage(vscode.l10n.t('The editor cannot read or keep secrets now.'));
  }
}

async function askForName(known: readonly string[], { display }: ServerAddress): Promise<string | undefined> {
  const title = vscode.l10n.t('Headers for {0}', display);
  if (known.length > 0) {
    const items: HeaderItem[] = known.map((name) => ({ label: name, name }));
    items.push({ label: `$(add) ${vscode.l10n.t('Add Header…')}` });
    const picked = await vscode.window.showQuickPick(items, { title });
    if (picked === undefined || picked.name !== undefined) return picked?.name;
  }
  const name = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Name of the header.'),
    placeHolder: 'Authorization',
    validateInput: (text) => headerNameFault(text.trim()),
  });
  return name?.trim();
}

function askForValue(name: string, { display, baseUrl }: ServerAddress): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('{0} for {1}', name, display),
    prompt: baseUrl.startsWith('https:')
      ? vscode.l10n.t('Value of the header. Empty removes it.')
      : vscode.l10n.t('Value of the header. Empty removes it. It is sent unencrypted: the address is not https.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => headerValueFault(text.trim()),
  });
}

function keyOf(baseUrl: string): string {
  return `serverHeaders:${baseUrl}`;
}

function storedFrom(text: string): Readonly<Record<string, string>> {
  try {
    return storedSchema.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}
