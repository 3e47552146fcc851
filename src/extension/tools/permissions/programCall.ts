import { PROGRAM_CALL_CHARS } from '../../base/limits';
import type { ShellKind } from '../action';

/**
 * The words of a command line that is one simple call of a program, as the program gets them, its name first. Undefined:
 * it is anything else, or might be. Of bash and of a POSIX `sh` alike; of other shells only plain words are understood.
 */
export function readProgramCall(command: string, shell: ShellKind): readonly string[] | undefined {
  if (command.length > PROGRAM_CALL_CHARS || UNSEEN.test(command)) return undefined;
  return shell.family === 'posix' ? posixCall(command) : plainCall(command);
}

/** What a line can hold without showing it: controls, halves of characters, blanks that are no space. */
const UNSEEN = /\p{C}|(?! )\p{Z}/u;

/** A piece of a word in which each character stands for itself. */
const PIECE = /([\w./:=,@%+-]+)|'([^']*)'|"([^"$`\\!]*)"/y;

function posixCall(command: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length;) {
    if (command[at] === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    PIECE.lastIndex = at;
    const piece = PIECE.exec(command);
    if (piece === null) return undefined;
    word = (word ?? '') + (piece[1] ?? piece[2] ?? piece[3] ?? '');
    at = PIECE.lastIndex;
  }
  if (word !== undefined) words.push(word);
  return startsProgram(words) ? words : undefined;
}

function startsProgram(words: readonly string[]): boolean {
  const [program] = words;
  // With `=` it may be an assignment, with `%` a job.
  if (program === undefined || !/^[\w./+][\w./+@:,-]*$/.test(program)) return false;
  if (SHELL_WORDS.has(program)) return false;
  // Of these, bash computes the index of a variable that is named: `test -v 'a[$(reboot)]'`.
  return !INDEXING.has(program) || !words.some((word) => word.includes('['));
}

/** What a shell does not take for the name of a program, but for its own grammar. */
const GRAMMAR =
  'if then else elif fi case esac for select while until do done in function time coproc repeat foreach end ' +
  'noglob nocorrect and or not begin';
/** What is built into a shell and runs what it is given, or changes what runs; that of bash computes what it is given. */
const BUILTINS =
  '. source eval exec command builtin trap alias unalias enable hash bind complete compopt compgen fc hist jobs fg bg ' +
  'let declare typeset local export readonly set unset shopt read readarray mapfile getopts wait shift return exit ' +
  'logout suspend break continue caller dirs pushd popd disown help history chdir print whence';
const SHELL_WORDS: ReadonlySet<string> = new Set(`${GRAMMAR} ${BUILTINS}`.split(' '));
const INDEXING: ReadonlySet<string> = new Set(['test', 'printf', 'kill', 'umask', 'ulimit', 'cd', 'type']);

/** Windows PowerShell, `cmd` and whatever else: words that none of them reads as more than words. */
function plainCall(command: string): readonly string[] | undefined {
  if (!/^[A-Za-z][\w.-]*(?: [\w./:=-]+)*$/.test(command)) return undefined;
  const words = command.split(' ');
  const [program = ''] = words;
  return PLAIN_GRAMMAR.has(program.toLowerCase()) || SHELL_WORDS.has(program.toLowerCase()) ? undefined : words;
}

const PLAIN_GRAMMAR: ReadonlySet<string> = new Set(
  (
    'call start goto rem setlocal endlocal throw try catch finally switch filter using class enum param process data ' +
    'dynamicparam parallel sequence inlinescript workflow configuration iex icm ijb saps sajb foreach-object ' +
    'where where-object invoke-expression invoke-command invoke-item start-process start-job ii'
  ).split(' '),
);
