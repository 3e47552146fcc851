import picomatch from 'picomatch';
import { GLOB_CHARS, GLOB_STARS } from '../base/limits';
import { failed, succeeded, type Result } from '../base/result';
import { refused, type ToolOutcome } from './tool';

/**
 * Tells which paths, relative to the workspace folder with `/` between their steps, a pattern means: one without `/` means
 * names anywhere, one that ends with `/` everything in a folder. `ignoreCase`: upper and lower case are the same.
 */
export function pathGlob(glob: string, ignoreCase: boolean): Result<(path: string) => boolean, ToolOutcome> {
  if (glob.includes('\0')) return failed(refused('The pattern contains a NUL character.', 'bad pattern'));
  if (glob.length > GLOB_CHARS || (glob.match(/\*+/g)?.length ?? 0) > GLOB_STARS) {
    return failed(
      refused(`The pattern is longer than ${GLOB_CHARS} characters or has more than ${GLOB_STARS} “*”.`, 'bad pattern'),
    );
  }
  const bare = glob
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '');
  const pattern = bare.endsWith('/') ? `${bare}**` : bare;
  if (pattern === '') return succeeded(() => true);
  if (/\[(?!.*\])|\{(?!.*\})/.test(pattern)) return failed(noGlob(glob));
  try {
    // Without the signs of other shells: nested ones can take minutes to compare.
    return succeeded(
      picomatch(pattern, { dot: true, basename: !pattern.includes('/'), nocase: ignoreCase, noextglob: true }),
    );
  } catch {
    return failed(noGlob(glob));
  }
}

function noGlob(glob: string): ToolOutcome {
  return refused(
    `${JSON.stringify(glob)} is no glob. Write one such as *.ts or src/**/*.test.ts, with every bracket closed.`,
    'bad pattern',
  );
}
