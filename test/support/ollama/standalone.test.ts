import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawRequest } from './rawClient';

let folder: string;
let script: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
  script = join(folder, 'standalone.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'standalone.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile: script,
  });
});

afterAll(() => rm(folder, { recursive: true }));

async function start(...args: readonly string[]): Promise<{ child: ChildProcessWithoutNullStreams; line: string }> {
  const child = spawn(process.execPath, [script, ...args]);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, line: chunk.toString() };
}

it('says where it listens, offers the stand-in, and ends on SIGTERM', async () => {
  const { child, line } = await start('--port', '0');
  const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line)?.[1] ?? '';
  expect((await rawRequest(`${url}/api/tags`)).text).toContain('"name":"scripted-stand-in:latest"');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('ends with its parent if told so', async () => {
  const { child } = await start('--exit-with-parent');
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
