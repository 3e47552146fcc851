import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { launchOptions } from '../support/workbench/browser';
import { ROOT } from '../support/workbench/tools';

export default defineConfig({
  testDir: '.',
  outputDir: join(ROOT, 'out', 'test', 'e2e'),
  // A workbench, its extension host and a browser use one core up; more at once only makes each slower.
  workers: 1,
  // A test that passes at the second try has found something.
  retries: 0,
  timeout: 120_000,
  globalTimeout: 720_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  use: { launchOptions: launchOptions(), actionTimeout: 30_000, screenshot: 'only-on-failure' },
});
