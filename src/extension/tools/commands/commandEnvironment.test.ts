import { expect, test } from 'vitest';
import { commandEnvironment } from './commandEnvironment';

test('a command gets the environment of the editor without what is for its own processes', () => {
  const editor = {
    PATH: '/bin',
    HOME: '/home/me',
    ELECTRON_RUN_AS_NODE: '1',
    VSCODE_PID: '7',
    FORCE_COLOR: '1',
    TERM: 'xterm',
  };
  expect(commandEnvironment(editor, 'm1')).toEqual({
    PATH: '/bin',
    HOME: '/home/me',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    HOLDFAST_COMMAND: 'm1',
  });
});
