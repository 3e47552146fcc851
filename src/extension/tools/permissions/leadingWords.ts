/**
 * The words of a program call that say what it does, however it goes on: `npm test`, `git status`, `ls`. Only of
 * programs that are known not to run what their arguments say. Undefined: this call can be allowed as a whole only.
 */
export function leadingWords(words: readonly string[]): readonly string[] | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  if (ALONE.has(program)) return [program];
  if (rest.some(namesProgram)) return undefined;
  const kinds = SUBCOMMANDS.get(program);
  const kind = kinds?.find((one) => one.every((step, at) => (step === ANY ? isName(rest[at]) : step === rest[at])));
  return kind === undefined ? undefined : words.slice(0, 1 + kind.length);
}

/** In place of a word that can be any name, such as that of a script. */
const ANY = '*';

/** Programs that read, or make an empty file or folder, and no option of which runs another program or writes a file. */
const ALONE: ReadonlySet<string> = new Set(
  (
    'ls cat head tail wc grep egrep fgrep cut tr diff cmp comm nl tac rev fold column paste join stat du df ' +
    'pwd echo printf which basename dirname realpath readlink jq md5sum sha1sum sha256sum cksum od hexdump strings id ' +
    'whoami uname ps true false seq test mkdir touch'
  ).split(' '),
);

/** What runs the code of the folder, or shows what stands in it. Further arguments choose what of it. */
const SUBCOMMANDS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries({
    npm: 'test|run *|start|ls|outdated|audit',
    pnpm: 'test|run *|start|build|lint|ls|outdated|audit',
    yarn: 'test|run *|start|build|lint|outdated|audit',
    bun: 'test|run *',
    cargo: 'test|build|check|clippy|fmt|doc|bench|tree|run',
    go: 'test|build|vet|fmt|list',
    dotnet: 'test|build|format',
    swift: 'test|build',
    zig: 'test|build',
    dart: 'test|analyze|format',
    flutter: 'test|analyze',
    mix: 'test|compile|format',
    git: 'status|diff|log|show|add|commit|branch|blame|ls-files|rev-parse|describe|shortlog|stash|switch',
    docker: 'ps|images|compose up|compose down|compose ps|compose logs|compose build',
    vitest: '',
    jest: '',
    mocha: '',
    pytest: '',
    tsc: '',
    eslint: '',
    oxlint: '',
    prettier: '',
    ruff: '',
    mypy: '',
    black: '',
    gofmt: '',
    rustfmt: '',
  }).map(([program, kinds]) => [program, kinds.split('|').map((kind) => kind.split(' ').filter(Boolean))]),
);

function isName(word: string | undefined): boolean {
  return word !== undefined && /^[a-z][\w:.-]*$/i.test(word);
}

/** Options by which even these are told to run a program, or to take from a file what to run; some can be shortened. */
const RUNNING_OPTIONS = [
  'exec',
  'toolexec',
  'vettool',
  'ldflags',
  'gccgoflags',
  'overlay',
  'python-executable',
  'script-shell',
  'shell',
  'node-options',
  'userconfig',
  'globalconfig',
  'config',
  'ext-diff',
  'output',
  'rulesdir',
  'resolve-plugins-relative-to',
  'plugin-search-dir',
  'plugin',
  'require',
  'import',
  'loader',
];

function namesProgram(word: string): boolean {
  const name = /^--?([a-z][a-z-]{2,})(?:=|$)/i.exec(word)?.[1]?.toLowerCase();
  return name !== undefined && RUNNING_OPTIONS.some((option) => option.startsWith(name));
}
