import { Ollama } from 'ollama/browser';
import type { Message, Tool } from 'ollama/browser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatRequest } from './chatRequest';
import { OllamaServer } from './ollamaServer';
import { STAND_IN_MODEL, standInModel } from './standInModel';

const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Title\n\n```sh\nnpm start\n```\n',
  'src/a.ts': Array.from({ length: 30 }, (_, index) => `export const line${index + 1} = 0;`).join('\n'),
};

function runTool(name: string, args: Readonly<Record<string, unknown>>): string {
  if (name === 'list_files') return 'README.md\nsrc/\npackage.json';
  if (name === 'search_text') return `src/a.ts:1: ${String(args['query'])}`;
  return FILES[String(args['path'])] ?? 'Error: there is no such file';
}

function toolNamed(name: string): Tool {
  return { type: 'function', function: { name, parameters: { type: 'object', properties: {} } } };
}

const TOOLS = ['read_file', 'list_files', 'search_text'].map(toolNamed);

let server: OllamaServer;

beforeAll(async () => {
  const fallback = standInModel({ tokensPerSecond: Number.POSITIVE_INFINITY });
  server = await OllamaServer.start({ models: [STAND_IN_MODEL], fallback });
});

afterAll(() => server.close());

/** Holds a whole turn, running the tools; returns the calls as text and the answer. */
async function ask(question: string, tools = TOOLS): Promise<{ calls: string[]; answer: string; thinking: string }> {
  const client = new Ollama({ host: server.url });
  const messages: Message[] = [{ role: 'user', content: question }];
  const calls: string[] = [];
  for (;;) {
    const { message } = await client.chat({ model: STAND_IN_MODEL.name, messages: [...messages], tools });
    messages.push(message);
    if (!message.tool_calls) return { calls, answer: message.content, thinking: message.thinking ?? '' };
    for (const { function: called } of message.tool_calls) {
      calls.push(`${called.name} ${JSON.stringify(called.arguments)}`);
      messages.push({ role: 'tool', tool_name: called.name, content: runTool(called.name, called.arguments) });
    }
  }
}

describe('which tool it calls', () => {
  it.each([
    ['What is in src/a.ts?', 'read_file {"path":"src/a.ts"}'],
    ['Explain `README.md`.', 'read_file {"path":"README.md"}'],
    ['Look at @src/a.ts, e.g. its first line', 'read_file {"path":"src/a.ts"}'],
    ['Search for "line7"', 'search_text {"query":"line7"}'],
    ['Find "line7" in src/a.ts', 'search_text {"query":"line7","path":"src/a.ts"}'],
    ['Where is startServer defined?', 'search_text {"query":"startServer"}'],
    ['What is this project about, e.g. in one word?', 'list_files {"path":"."}'],
    ['See https://example.com/a.html', 'list_files {"path":"."}'],
  ])('%s', async (question, call) => {
    expect((await ask(question)).calls[0]).toBe(call);
  });

  it('reads the read-me file after it has listed the folder, and calls no third tool', async () => {
    const { calls, answer } = await ask('Hello!');
    expect(calls).toEqual(['list_files {"path":"."}', 'read_file {"path":"README.md"}']);
    expect(answer).toContain('**3 entries**');
    expect(answer).toContain('- `src/`');
    expect(answer).toContain('| folders | 1 |');
    expect(answer).toContain('````markdown\n# Title');
  });

  it('calls only tools that it is offered', async () => {
    expect((await ask('What is in src/a.ts?', [toolNamed('other')])).calls).toEqual([]);
    expect((await ask('What is in src/a.ts?', [toolNamed('list_files')])).calls).toEqual(['list_files {"path":"."}']);
  });
});

describe('what it changes', () => {
  const all = [...TOOLS, ...['edit_file', 'run_command'].map(toolNamed)];

  it('reads the file that it is asked to edit, and puts a remark behind its first line', async () => {
    const edit = { path: 'src/a.ts', old_text: 'export const line1 = 0;' };
    expect((await ask('Edit src/a.ts for me', all)).calls).toEqual([
      'read_file {"path":"src/a.ts"}',
      `edit_file ${JSON.stringify({ ...edit, new_text: `${edit.old_text} // edited by the stand-in` })}`,
    ]);
    expect((await ask('Edit README.md', all)).calls[1]).toContain('# Title (edited by the stand-in)');
  });

  it.each([
    ['Run npm test', 'npm test'],
    ['Please run `git status --short`.', 'git status --short'],
  ])('%s', async (question, command) => {
    expect((await ask(question, all)).calls).toEqual([`run_command ${JSON.stringify({ command })}`]);
  });

  it('calls nothing that changes anything unless it is asked to', async () => {
    expect((await ask('What is in src/a.ts?', all)).calls).toEqual(['read_file {"path":"src/a.ts"}']);
  });
});

describe('what it answers', () => {
  it('quotes the first lines of a file and counts all of them', async () => {
    const { answer, thinking } = await ask('What is in src/a.ts?');
    expect(answer).toContain('**30 lines**');
    expect(answer).toContain('```ts\nexport const line1 = 0;\n');
    expect(answer).toContain('line12 ');
    expect(answer).not.toContain('line13 ');
    expect(thinking).not.toBe('');
  });

  it('says plainly that a tool failed', async () => {
    const { answer } = await ask('What is in missing.ts?');
    expect(answer).toContain('**`read_file` did not work.**');
    expect(answer).toContain('> Error: there is no such file');
  });

  it('says what it is when there is no tool', async () => {
    const { answer } = await ask('How are you?', []);
    expect(answer).toContain('**scripted stand-in**, not a language model');
    expect(answer).toContain('> How are you?');
  });

  it('gives a long answer to whoever asks for it', async () => {
    const { calls, answer } = await ask('Answer slowly, please');
    expect(calls).toEqual([]);
    expect(answer.split(/\s+/).length).toBeGreaterThan(380);
  });

  it('streams word by word, with pauses, and does not think when told so', () => {
    const request: ChatRequest = { model: 'x', think: false, messages: [{ role: 'user', content: 'Hi' }] };
    const [first, second, third] = [...(standInModel()(request) as Iterable<unknown>)];
    expect([first, second, third]).toEqual([{ wait: 25 }, { content: 'I ' }, { wait: 25 }]);
  });
});
