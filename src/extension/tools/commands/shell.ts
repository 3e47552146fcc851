import type { ShellKind } from '../action';

/**
 * The shell of this machine that runs commands: bash where there is one, since models write for it, else sh. The
 * person's own shell is not asked: what it takes differs too much. `exists`: whether there is such a program.
 */
export function shellOf(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  exists: (program: string) => boolean,
): ShellKind {
  if (platform === 'win32') {
    const system = env['SystemRoot'] ?? 'C:\\Windows';
    return {
      program: `${system}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
      name: 'powershell',
      family: 'other',
    };
  }
  return exists('/bin/bash')
    ? { program: '/bin/bash', name: 'bash', family: 'posix' }
    : { program: '/bin/sh', name: 'sh', family: 'posix' };
}

/** What the shell is started with so that it runs this command and ends with its exit code. */
export function shellArguments(shell: ShellKind, command: string): readonly string[] {
  if (shell.family === 'posix') return ['-c', command];
  // As base64 it needs no quoting, which Windows leaves to each program.
  const script = `${UTF8}\n${command}\n${EXIT_CODE}`;
  const encoded = Buffer.from(script, 'utf16le').toString('base64');
  return ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded];
}

const UTF8 =
  "$ProgressPreference = 'SilentlyContinue'; [Console]::OutputEncoding = [System.Text.UTF8Encoding]::new($false)";
/** PowerShell itself ends with 0 or 1, whatever the program it ran ended with. */
const EXIT_CODE =
  '$holdfastOk = $?; if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }; if (-not $holdfastOk) { exit 1 }';
