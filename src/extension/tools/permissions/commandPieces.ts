/** What a command line may name, whatever its syntax. It holds too much rather than too little. */
export interface CommandPieces {
  readonly pieces: ReadonlySet<string>;
  /** Whether it holds a variable or a substitution, so that it may name what it does not say. */
  readonly expands: boolean;
}

/**
 * The pieces of a command line that look like words: quotes and backslashes taken away as a shell does, and also each
 * part of what was quoted, since that may be a script; with `--option=path`, `-Ipath`, `name:path` and `@path` taken
 * apart.
 */
export function readPieces(command: string): CommandPieces {
  const { words, expands } = shellWords(command);
  const pieces = new Set(words);
  for (const text of [command, ...words]) {
    // Elsewhere than in a POSIX shell a backslash stands between the steps of a path.
    for (const part of [...text.split(/[\s'"`;&|<>()\\]+/), ...text.split(/[\s'"`;&|<>()]+/)]) {
      for (const piece of [part, ...part.split(/[=:,@{}[\]$]+/)]) {
        pieces.add(piece);
        // A value that stands right behind one or more letters.
        if (/^-[a-z]/i.test(piece)) pieces.add(piece.slice(2)).add(piece.replace(/^-[a-z]+/i, ''));
      }
    }
  }
  pieces.delete('');
  return { pieces, expands };
}

/** What may bring in a word that is not in the line: outside single quotes, and in a script between them. */
const EXPANSION = /^(?:`|\$[\w{(*@#?$!-])/;
const EXPANSION_IN_SCRIPT = /^(?:`|\$[A-Za-z_{(])/;

function shellWords(text: string): { words: readonly string[]; expands: boolean } {
  const words: string[] = [];
  let word = '';
  let quote: string | undefined;
  let expands = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const ahead = text.slice(at, at + 2);
    expands ||= (quote === "'" ? EXPANSION_IN_SCRIPT : EXPANSION).test(ahead) || (quote === '"' && ahead === '\\$');
    if (character === quote) {
      quote = undefined;
    } else if (quote === undefined && (character === "'" || character === '"')) {
      quote = character;
    } else if (character === '\\' && quote !== "'") {
      at += 1;
      // A line that goes on is one line.
      if (text[at] !== '\n') word += text.charAt(at);
    } else if (quote === undefined && /[\s;&|<>()`]/.test(character)) {
      words.push(word);
      word = '';
    } else {
      // `$'…'` says characters by their numbers, `<(…)` is a file with what a program prints.
      expands ||= quote === undefined && (ahead === "$'" || ahead === '$"');
      word += character;
    }
  }
  words.push(word);
  return { words, expands };
}
