import { strict as assert } from 'node:assert';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { pause, systemClock } from '../../src/extension/base/clock';
import type { HoldfastApi } from '../../src/extension/extension';
import { callTool, say } from '../support/ollama/chatStep';
import { OllamaServer } from '../support/ollama/ollamaServer';
import { ask, idle } from '../support/windows/liveTalk';

const MODEL = 'scripted:1b';

let ollama: OllamaServer;
let root: string;
let home: string | undefined;
let written: string[] = [];

async function conversations(): Promise<HoldfastApi['conversations']> {
  const found = vscode.extensions.getExtension<HoldfastApi>('holdfast.holdfast');
  assert.ok(found);
  return (await found.activate()).conversations;
}

async function put(file: string, content: string): Promise<void> {
  written.push(file);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Runs a command that asks for a choice, takes the first one as soon as there is one, and waits for the file. */
async function pickFirst(command: string, file: string): Promise<void> {
  const shown = (): boolean => vscode.window.activeTextEditor?.document.uri.fsPath === file;
  const done = vscode.commands.executeCommand(command);
  while (!shown()) {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await pause(systemClock, 50);
  }
  await done;
}

describe('Files that go along with every request', () => {
  const homes = { HOME: process.env['HOME'], USERPROFILE: process.env['USERPROFILE'] };

  before(async () => {
    // Not the home of whoever runs the tests.
    home = await mkdtemp(join(tmpdir(), 'home-'));
    Object.assign(process.env, { HOME: home, USERPROFILE: home });
    assert.equal(homedir(), home);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = folder.uri.fsPath;
    ollama = await OllamaServer.start({ models: [MODEL] });
    await vscode.workspace
      .getConfiguration('holdfast')
      .update('ollama.host', ollama.host, vscode.ConfigurationTarget.Global);
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const file of written) await rm(file, { force: true });
    written = [];
  });

  after(async () => {
    await ollama.close();
    if (home !== undefined) await rm(home, { recursive: true, force: true });
    for (const [name, value] of Object.entries(homes)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  it('reach the model: AGENTS.md, of the root and of a folder it looked into, memory, and a skill it loads', async () => {
    await put(join(homedir(), '.holdfast', 'AGENTS.md'), 'Rule for all folders.');
    await put(join(root, 'AGENTS.md'), 'Rule of the root.');
    await put(join(root, 'src', 'AGENTS.md'), 'Rule of the sources.');
    await put(join(root, '.holdfast', 'memory.md'), 'Remembered here.');
    await put(
      join(root, '.holdfast', 'skills', 'notes', 'SKILL.md'),
      '---\nname: notes\ndescription: Writes notes.\n---\nHow notes are written.',
    );
    const live = (await conversations()).create({ key: vscode.Uri.file(root).toString(), name: 'w' }, undefined);
    ollama.script(callTool('load_skill', { name: 'notes' }), callTool('read_file', { path: 'src/queue.js' }));
    ollama.script(say('Read.'));
    await ask(live, 'First question', MODEL);
    await idle(live);
    ollama.script(say('Again.'));
    await ask(live, 'Second question', MODEL);
    await idle(live);
    const [first, , last] = ollama.chats.map(({ chat }) => chat.messages ?? []);
    const head = String(first?.[1]?.content);
    assert.match(
      head,
      /^<background>\n.*path="~\/.holdfast\/AGENTS.md">\nRule for all folders\..*Rule of the root\..*Remembered here\..*- notes: Writes notes\.\n.*<\/background>\n\nFirst question$/s,
    );
    assert.ok(!head.includes('Rule of the sources.'));
    assert.match(String(last?.[1]?.content), /Rule of the root\..*path="src\/AGENTS.md">\nRule of the sources\./s);
    assert.match(JSON.stringify(last), /skill_md[^>]*>\\nHow notes are written\./);
    assert.ok(!JSON.stringify(live.transcript).includes('Rule of the root.'));
  });

  it('are opened by commands, and made when they are missing', async function () {
    // Two editors are opened through the workbench, which takes long on a busy machine.
    this.timeout(60_000);
    const memory = join(root, '.holdfast', 'memory.md');
    written.push(memory, join(root, 'AGENTS.md'));
    await pickFirst('holdfast.openMemory', memory);
    assert.equal(await readFile(memory, 'utf8'), '# Memory\n');
    await writeFile(join(root, 'AGENTS.md'), 'Mine.');
    await pickFirst('holdfast.openInstructions', join(root, 'AGENTS.md'));
    assert.equal(await readFile(join(root, 'AGENTS.md'), 'utf8'), 'Mine.');
  });
});
