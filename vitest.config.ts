import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Tests that touch the disk or start processes must not fail because another file's tests hold both cores.
    testTimeout: 20_000,
    // Most files wait for the disk or for other processes, not for a core.
    maxWorkers: 3,
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
        },
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
