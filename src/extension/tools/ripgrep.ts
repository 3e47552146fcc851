import * as path from 'node:path';

/**
 * Where the ripgrep program lies, under the folder that holds `node_modules`. Its package is chosen by platform; the
 * package that would choose cannot be bundled, because it looks around itself.
 */
export function ripgrepPath(extensionRoot: string): string {
  const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const packageName = `ripgrep-${process.platform}-${process.arch}`;
  return path.join(extensionRoot, 'node_modules', '@vscode', packageName, 'bin', program);
}
