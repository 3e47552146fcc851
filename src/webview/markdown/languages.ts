const NAMES: Readonly<Record<string, string>> = {
  bash: 'Shell',
  c: 'C',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  go: 'Go',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsx: 'JavaScript',
  markdown: 'Markdown',
  md: 'Markdown',
  php: 'PHP',
  py: 'Python',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  rs: 'Rust',
  sh: 'Shell',
  shell: 'Shell',
  sql: 'SQL',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
  zsh: 'Shell',
};

/** The language of a code block: the first word behind its fence. */
export function languageOf(info: string | undefined): string {
  return /^[^\s,{:]+/.exec(info?.trim() ?? '')?.[0]?.toLowerCase() ?? '';
}

/** How a person calls the language. */
export function languageName(language: string): string {
  return Object.hasOwn(NAMES, language) ? (NAMES[language] ?? language) : language;
}
