/** Set to another value for each command: whatever it starts carries it, wherever it goes. */
export const MARKER = 'HOLDFAST_COMMAND';

/** Variables of the editor's own processes: a command that starts a program of the same kind would be misled by them. */
const EDITORS_OWN = /^(?:VSCODE_|ELECTRON_)/i;
/** They would ask for colours in spite of `NO_COLOR`. */
const COLOURS: readonly string[] = ['FORCE_COLOR', 'CLICOLOR_FORCE', 'COLORTERM'];

/** What a command finds in its environment: that of the editor, told that nobody sits at a terminal. */
export function commandEnvironment(editor: NodeJS.ProcessEnv, marker: string): NodeJS.ProcessEnv {
  const kept = Object.entries(editor).filter(([name]) => !EDITORS_OWN.test(name) && !COLOURS.includes(name));
  return {
    ...Object.fromEntries(kept),
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    [MARKER]: marker,
  };
}
