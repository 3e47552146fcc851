import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import type { HoldfastApi } from '../../src/extension/extension';
import type { ClientId } from '../../src/protocol/ids';
import { callTool, say } from '../support/ollama/chatStep';
import { OllamaServer } from '../support/ollama/ollamaServer';

const ID = 'holdfast.holdfast';

function extension(): vscode.Extension<HoldfastApi> {
  const found = vscode.extensions.getExtension<HoldfastApi>(ID);
  assert.ok(found, `${ID} is not installed`);
  return found;
}

describe('The extension in its host', () => {
  it('activates and keeps every promise of its manifest', async () => {
    await extension().activate();
    const manifest = extension().packageJSON as { contributes: { commands: readonly { command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    for (const { command } of manifest.contributes.commands) assert.ok(known.has(command), command);
    assert.ok(known.has('holdfast.chat.focus'));
  });

  it('loads the SQLite that was built for it', async () => {
    const load = createRequire(`${extension().extensionPath}/package.json`);
    const { Database } = load('@vscode/sqlite3') as typeof import('@vscode/sqlite3');
    const database = new Database(':memory:');
    await once(database, 'open');
    const version = await new Promise<unknown>((resolve, reject) => {
      database.get('SELECT sqlite_version() AS version', (error: Error | null, row: { version: string }) =>
        error === null ? resolve(row.version) : reject(error),
      );
    });
    database.close();
    assert.equal(version, '3.53.2');
  });

  it('takes no address of a model server from a folder', async () => {
    const setting = vscode.workspace.getConfiguration('holdfast');
    await assert.rejects(
      Promise.resolve(setting.update('ollama.host', 'http://elsewhere.invalid', vscode.ConfigurationTarget.Workspace)),
    );
    assert.equal(setting.inspect('ollama.host')?.workspaceValue, undefined);
  });

  it('takes neither thinking nor patience with a model from a folder', async () => {
    const setting = vscode.workspace.getConfiguration('holdfast');
    for (const [name, value] of [
      ['ollama.thinking', 'max'],
      ['ollama.stallTimeout', 1],
    ] as const) {
      await assert.rejects(Promise.resolve(setting.update(name, value, vscode.ConfigurationTarget.Workspace)), name);
      assert.equal(setting.inspect(name)?.workspaceValue, undefined);
    }
    assert.equal(setting.get('ollama.thinking'), 'default');
  });

  it('says in the manifest which settings an untrusted folder may not make, and offers its commands in the view', () => {
    const { capabilities, contributes } = extension().packageJSON as {
      capabilities: { untrustedWorkspaces: { restrictedConfigurations: readonly string[] } };
      contributes: { menus: { 'view/title': readonly { command: string }[] } };
    };
    for (const name of ['host', 'keepAlive', 'contextLength'])
      assert.ok(capabilities.untrustedWorkspaces.restrictedConfigurations.includes(`holdfast.ollama.${name}`), name);
    const offered = contributes.menus['view/title'].map(({ command }) => command);
    for (const name of ['compact', 'pullModel']) assert.ok(offered.includes(`holdfast.${name}`), name);
  });

  it('runs a turn over the real client, tools and file, and gives it back from the file', async () => {
    const { conversations } = await extension().activate();
    const ollama = await OllamaServer.start({ models: ['scripted:1b'] });
    try {
      await vscode.workspace
        .getConfiguration('holdfast')
        .update('ollama.host', ollama.host, vscode.ConfigurationTarget.Global);
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(folder);
      const workspace = { key: folder.uri.toString(), name: folder.name };
      ollama.script(callTool('list_files', {}), callTool('search_text', { query: 'queue' }));
      ollama.script(say('Done.'));
      const live = conversations.create(workspace, undefined);
      const ended = new Promise<void>((resolve) => {
        live.listen({
          event: () => undefined,
          replaced: () => undefined,
          status: ({ run }) => {
            if (run.kind === 'idle') resolve();
          },
        });
      });
      assert.deepEqual(await live.send('one' as ClientId, 'What is here?', 'scripted:1b'), { ok: true });
      await ended;
      const results = live.transcript.messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === 'tool' ? [part] : [])),
      );
      assert.deepEqual(
        results.map(({ name, state }) => [name, state]),
        [
          ['list_files', 'done'],
          ['search_text', 'done'],
        ],
      );
      for (const name of await readdir(folder.uri.fsPath)) assert.ok(results[0]?.result?.content.includes(name), name);
      assert.match(results[1]?.result?.content ?? '', /src\/queue\.js:\d+: /);
      const list = await conversations.list(workspace);
      assert.ok(
        list.ok &&
          list.value.some(
            ({ id, title, messageCount }) => id === live.id && title === 'What is here?' && messageCount === 3,
          ),
      );
    } finally {
      await ollama.close();
    }
  });
});
