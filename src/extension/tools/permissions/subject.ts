import type { ApprovalSubject } from '../../../protocol/approval';
import type { Action } from '../action';

/** What the person is shown of an action that they are asked about. */
export function subjectOf(action: Action): ApprovalSubject {
  switch (action.kind) {
    case 'edit':
      return { kind: 'edit', change: action.change, outside: action.place.outside };
    case 'read':
      return { kind: 'read', path: action.place.shown };
    case 'command': {
      const { command, folder, shell, timeoutMs } = action;
      return { kind: 'command', command, folder, shell: shell.name, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    }
    case 'input':
      return { kind: 'input', command: action.command, text: action.text };
    case 'memory':
      return { kind: 'memory', scope: action.scope, text: action.text };
    case 'other': {
      const { tool, from, arguments: given } = action;
      return { kind: 'other', tool, ...(from === undefined ? {} : { from }), arguments: given };
    }
  }
}
