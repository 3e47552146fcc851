import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The page of a view. Nothing inline but the nonce; no network; nothing loaded but our own files. */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const asset = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${asset('codicon.css')}">
<link rel="stylesheet" href="${asset('main.css')}">
<title>Holdfast</title>
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}" src="${asset('main.js')}"></script>
</body>
</html>`;
}

/** The folders of the extension that a page may load from. */
export function pageRoots(extensionUri: vscode.Uri): readonly vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')];
}
