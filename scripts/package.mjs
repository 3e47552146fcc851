/** `npm run package`: a VSIX for this platform in `out/`. Another platform's is made on that platform, for its native parts. */
import { relative } from 'node:path';
import { build } from './build.mjs';
import { packageExtension } from './lib/packageExtension.mjs';
import { ROOT } from './lib/paths.mjs';
import { runMain, say } from './lib/say.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  await setUp(['modules', 'binding']);
  await build({ production: true });
  const { file, files, bytes } = await packageExtension();
  say(`${relative(ROOT, file)}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB`);
});
