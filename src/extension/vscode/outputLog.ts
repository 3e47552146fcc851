import * as vscode from 'vscode';
import type { Log } from '../base/log';

/** The extension's output channel as a log. `show` brings it up. */
export interface ShownLog extends Log, vscode.Disposable {
  show(): void;
}

export function openLog(): ShownLog {
  const channel = vscode.window.createOutputChannel('Holdfast', { log: true });
  return { ...logOf(channel, ''), show: () => channel.show(), dispose: () => channel.dispose() };
}

function logOf(channel: vscode.LogOutputChannel, prefix: string): Log {
  return {
    info: (line) => channel.info(prefix + line),
    warn: (line) => channel.warn(prefix + line),
    error: (line, error) => channel.error(prefix + line, ...(error === undefined ? [] : [described(error)])),
    sub: (topic) => logOf(channel, `${prefix}${topic}: `),
  };
}

function described(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
