import { createHash } from 'node:crypto';
import type { FileState } from '../../base/fileVersion';
import type { Action } from '../action';
import type { ReadyCall } from '../tool';

/** SHA-256, as hex, of all that a call would do. Two calls that would do the same have the same. */
export function digestOf(call: ReadyCall): string {
  const { action, version = call.unkept } = call;
  const file = version && { path: version.path, before: stateFacts(version.before), after: stateFacts(version.after) };
  return sha256(canonical({ action, file }));
}

/**
 * What makes two actions the same for whoever allowed one of them until the answer is done: the same command line in
 * the same folder, the same file, the same tool with the same arguments.
 */
export function sameAgainKey(action: Action): string {
  switch (action.kind) {
    case 'edit':
    case 'read':
      return canonical([action.kind, action.place.real]);
    case 'command':
      return canonical([action.kind, action.command, action.cwd, action.shell.program]);
    case 'input':
      return canonical([action.kind, action.command, action.text]);
    case 'memory':
      return canonical([action.kind, action.scope, action.text]);
    case 'other':
      return canonical([action.kind, action.from, action.tool, action.arguments]);
  }
}

function stateFacts(state: FileState | undefined): { readonly hash: string; readonly mode: number } | undefined {
  return state && { hash: sha256(state.bytes), mode: state.mode };
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** JSON in which the order of keys plays no part. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
