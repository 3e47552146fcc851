import { expect, test } from 'vitest';
import { shellArguments, shellOf } from './shell';

test('bash runs commands where it is, else sh, and PowerShell on Windows', () => {
  expect(shellOf('linux', {}, () => true)).toEqual({ program: '/bin/bash', name: 'bash', family: 'posix' });
  expect(shellOf('linux', {}, () => false)).toEqual({ program: '/bin/sh', name: 'sh', family: 'posix' });
  expect(shellOf('darwin', {}, () => true).name).toBe('bash');
  expect(shellOf('win32', { SystemRoot: 'D:\\Win' }, () => false)).toEqual({
    program: 'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    name: 'powershell',
    family: 'other',
  });
});

test('a posix shell gets the command as it is', () => {
  const shell = shellOf('linux', {}, () => true);
  expect(shellArguments(shell, `echo "a b" 'c'`)).toEqual(['-c', `echo "a b" 'c'`]);
});

test('PowerShell gets the command in a form that needs no quoting, and ends with its exit code', () => {
  const shell = shellOf('win32', {}, () => false);
  const args = shellArguments(shell, 'echo "ä" # a remark');
  expect(args.slice(0, -1)).toEqual(['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand']);
  const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
  expect(script).toMatch(/\necho "ä" # a remark\n.*exit \$LASTEXITCODE/);
});
