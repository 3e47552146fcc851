import { isAbsolute, normalize } from 'node:path';
import * as vscode from 'vscode';
import type { Reply } from '../../protocol/wire';

/** Schemes that leave the editor. Everything else is a path in the folder or nothing. */
const OUTSIDE = new Set(['http', 'https', 'mailto']);

/**
 * Opens what a link of a transcript names: web and mail addresses after the editor showed where they lead, and files
 * inside the workspace. Nothing else: no commands, no files outside.
 */
export async function openLink(href: string, root: vscode.Uri | undefined): Promise<Reply> {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase();
  if (scheme !== undefined && !/^[a-z]$/.test(scheme)) return openOutside(href, scheme);
  return openFile(href, root);
}

async function openOutside(href: string, scheme: string): Promise<Reply> {
  if (!OUTSIDE.has(scheme)) return { ok: false, message: `A link of the kind “${scheme}:” is not opened.` };
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(href, true);
  } catch {
    return { ok: false, message: 'The link is not an address.' };
  }
  const where = scheme === 'mailto' ? uri.path : uri.authority;
  const open = vscode.l10n.t('Open');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Open a link to {0}?', where),
    { modal: true, detail: href },
    open,
  );
  if (chosen === open) await vscode.env.openExternal(uri);
  return { ok: true };
}

/** `src/a.ts`, `src/a.ts:12`, `src/a.ts#L12`. */
function openFile(href: string, root: vscode.Uri | undefined): Promise<Reply> {
  const match = /^(?<path>.*?)(?:(?::|#L)(?<line>\d+)(?::\d+)?(?:-L?\d+)?)?$/.exec(href);
  return openInside(decoded(match?.groups?.['path'] ?? ''), Number(match?.groups?.['line'] ?? 0), root);
}

/**
 * Shows a file of the folder, at a line counted from 1 (0: at none). One that lies outside is shown only where that is
 * meant, and by its whole path.
 */
export async function openInside(
  path: string,
  line: number,
  root: vscode.Uri | undefined,
  outside = false,
): Promise<Reply> {
  if (root === undefined) return { ok: false, message: 'No folder is open that the file could be in.' };
  const target = isAbsolute(path) ? vscode.Uri.file(normalize(path)) : vscode.Uri.joinPath(root, path);
  if (path === '' || !(isInside(target.path, root.path) || (outside && isAbsolute(path)))) {
    return { ok: false, message: `“${path}” is not a file of this folder.` };
  }
  try {
    const selection = line > 0 ? { selection: new vscode.Range(line - 1, 0, line - 1, 0) } : {};
    await vscode.window.showTextDocument(target, { preview: true, ...selection });
    return { ok: true };
  } catch {
    return { ok: false, message: `“${path}” cannot be opened.` };
  }
}

function isInside(path: string, root: string): boolean {
  const folder = root.endsWith('/') ? root : `${root}/`;
  return path.startsWith(folder);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
