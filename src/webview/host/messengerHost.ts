import { HOST_EXTENSION } from 'vscode-messenger-common';
import { Messenger } from 'vscode-messenger-webview';
import { frameNotification, type Reply } from '../../protocol/wire';
import { strings } from '../strings';
import type { HostPort } from './hostPort';

/** The extension host, reached through vscode-messenger. Call it once: VS Code gives its API out only once. */
export function messengerHost(): HostPort {
  const vscode = acquireVsCodeApi();
  const messenger = new Messenger(vscode);
  return {
    async ask(type, params) {
      try {
        const reply: unknown = await messenger.sendRequest(type, HOST_EXTENSION, params);
        return isReply(reply) ? reply : { ok: false, message: strings.noReply };
      } catch {
        // A rejection carries a stack of the host at best, so it is not for the person's eyes.
        return { ok: false, message: strings.noReply };
      }
    },
    tell(type, params) {
      messenger.sendNotification(type, HOST_EXTENSION, params);
    },
    onFrame(listener) {
      messenger.onNotification(frameNotification, listener);
      messenger.start();
    },
    readState: () => vscode.getState(),
    writeState: (state) => {
      vscode.setState(state);
    },
  };
}

function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && 'ok' in value;
}
