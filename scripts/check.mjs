/** `npm run check`: types, lint, format and dead code, in under a minute. */
import { runChecks } from './lib/check.mjs';
import { runMain, say } from './lib/say.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  await setUp(['modules']);
  const failed = await runChecks();
  say(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
