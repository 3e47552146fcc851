import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromRoot } from './lib/paths.mjs';

/** Which layers of `src/` each one may import, by the design. */
/** @type {Record<string, readonly string[]>} */
const MAY_IMPORT = {
  protocol: [],
  webview: ['protocol'],
  'extension/base': [],
  'extension/storage': ['protocol', 'extension/base'],
  'extension/workspace': ['protocol', 'extension/base'],
  'extension/ollama': ['protocol', 'extension/base'],
  'extension/tools': ['protocol', 'extension/base'],
  'extension/agent': ['protocol', 'extension/base', 'extension/ollama', 'extension/tools'],
  'extension/conversations': [
    'protocol',
    ...['base', 'storage', 'workspace', 'ollama', 'tools', 'agent'].map((name) => `extension/${name}`),
  ],
  'extension/vscode': [
    'protocol',
    ...['base', 'storage', 'workspace', 'ollama', 'tools', 'agent', 'conversations'].map((name) => `extension/${name}`),
  ],
};
const LAYERS = Object.keys(MAY_IMPORT);

/** Files all over the product that use the tokenizer of the tests. */
const COUNTING = [...LAYERS.map((layer) => `${layer}/count.ts`), 'extension/extension.ts'];

/** Files that break one rule each, by the rule. */
/** @type {readonly (readonly [file: string, text: string])[]} */
const BREAKING = [
  ['extension/agent/vscodeModule.ts', "import type { Uri } from 'vscode';\nexport type A = Uri;"],
  ['webview/vscodeModule.ts', "import type { Uri } from 'vscode';\nexport type A = Uri;"],
  ['extension/ollama/nodeEntry.ts', "import { Ollama } from 'ollama';\nexport const a = Ollama;"],
  ['extension/storage/reader.ts', "import { stat } from 'node:fs/promises';\nexport const a = stat;"],
  ['extension/conversations/talk.ts', "import { Messenger } from 'vscode-messenger';\nexport const a = Messenger;"],
  ['extension/tools/deep/er.ts', "import { a } from '../../storage/layer';\nexport const b = a;"],
  ['extension/tools/print.ts', 'console.log(1);'],
  ['extension/tools/anything.ts', 'export const a: any = 1;'],
  ['extension/tools/hole.ts', "import { b } from './hole2';\nexport const a = () => b;"],
  ['extension/tools/hole2.ts', "import { a } from './hole';\nexport const b = () => a;"],
  ['extension/tools/nameless.ts', 'export default 1;'],
  ['webview/html.tsx', 'export const a = (e: Element) => (e.innerHTML = "x");'],
];

/** Files that must be let through. */
/** @type {readonly (readonly [file: string, text: string])[]} */
const FINE = [
  ['extension/ollama/browserEntry.ts', "import { Ollama } from 'ollama/browser';\nexport const a = Ollama;"],
  ['extension/storage/files.ts', "import { stat } from 'node:fs/promises';\nexport const a = stat;"],
  ['extension/vscode/view.ts', "import type { Uri } from 'vscode';\nexport type A = Uri;"],
  ['extension/vscode/talk.ts', "import { Messenger } from 'vscode-messenger';\nexport const a = Messenger;"],
  ['webview/talk.ts', "import { Messenger } from 'vscode-messenger-webview';\nexport const a = Messenger;"],
];

const edge = (/** @type {string} */ from, /** @type {string} */ to) => `${from}/imports-${to.replace('/', '-')}.ts`;

describe('The walls between layers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-walls-'));
  /** @type {Set<string>} */
  let refused;

  beforeAll(() => {
    const write = (/** @type {string} */ file, /** @type {string} */ text) => {
      mkdirSync(dirname(join(folder, 'src', file)), { recursive: true });
      writeFileSync(join(folder, 'src', file), `${text}\n`);
    };
    for (const layer of LAYERS) write(`${layer}/layer.ts`, 'export const a = 1;');
    for (const from of LAYERS) {
      for (const to of LAYERS.filter((layer) => layer !== from)) {
        const up = '../'.repeat(from.split('/').length);
        const path = from.startsWith('extension/') && to.startsWith('extension/') ? `../${to.slice(10)}` : up + to;
        write(edge(from, to), `import { a } from '${path}/layer';\nexport const b = a;`);
      }
    }
    for (const [file, text] of [...BREAKING, ...FINE]) write(file, text);
    for (const file of COUNTING) {
      write(file, "import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';\nexport const a = countTokens;");
    }
    const config = JSON.parse(readFileSync(fromRoot('.oxlintrc.json'), 'utf8'));
    // Types are not needed here, and there is no project for them.
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...config, options: {} }));
    cpSync(fromRoot('tsconfig.json'), join(folder, 'tsconfig.json'));
    refused = lint(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const from of LAYERS) {
    it(`${from} imports what the design lets it import and nothing else`, () => {
      const others = LAYERS.filter((layer) => layer !== from);
      const passed = others.filter((to) => !refused.has(edge(from, to)));
      expect(passed.sort()).toEqual([...(MAY_IMPORT[from] ?? [])].sort());
    });
  }

  it.each(BREAKING)('%s is refused', (file) => expect(refused).toContain(file));

  it.each(COUNTING)('the tokenizer of the tests is refused in %s', (file) => expect(refused).toContain(file));

  it.each(FINE)('%s is let through', (file) => expect(refused).not.toContain(file));
});

/** @param {string} folder @returns {Set<string>} the files, below `src/`, that the linter objects to */
function lint(folder) {
  const args = [fromRoot('node_modules', 'oxlint', 'bin', 'oxlint'), '--format=json', '.'];
  let output;
  try {
    output = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    output = /** @type {{ stdout: string }} */ (error).stdout;
  }
  /** @type {{ diagnostics: { filename: string }[] }} */
  const { diagnostics } = JSON.parse(output);
  return new Set(diagnostics.map(({ filename }) => filename.replaceAll('\\', '/').replace(/^.*?src\//, '')));
}
