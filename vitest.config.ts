import { defineConfig } from 'vitest/config';

/** Tests that measure the process they run in, and so want one in which nothing else ever ran. */
const ALONE = ['src/extension/tools/commandMemory.test.ts'];

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Tests that touch the disk or start processes must not fail because another file's tests hold both cores.
    testTimeout: 20_000,
    // Most files wait for the disk or for other processes, not for a core.
    maxWorkers: 3,
    // A process serves many files: to start one for each and to load the modules anew took more of the cores than the
    // tests did. So what a module remembers is the product's own, and a spy on what files share is put back by its test.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'host',
          include: [
            'src/{protocol,extension}/**/*.test.ts',
            'test/{support,bench,torture,longrun,field}/**/*.test.ts',
            'scripts/**/*.test.mjs',
          ],
          exclude: ALONE,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, isolate: true },
      },
      {
        extends: true,
        test: {
          name: 'webview',
          environment: 'happy-dom',
          include: ['src/webview/**/*.test.{ts,tsx}'],
          setupFiles: ['src/webview/testing/leaveNothing.ts'],
        },
      },
    ],
  },
});
