import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type LaunchOptions,
} from '@playwright/test';
import { toolPath } from './tools';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How to start the system's Chromium, headless. */
export const launchOptions = (): LaunchOptions => ({ executablePath: toolPath('chromium'), args: ARGS });

/** Starts the browser. The caller closes it. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(launchOptions());

export interface WorkbenchContext {
  readonly context: BrowserContext;
  /** Every address outside this computer that a page asked for; it was refused. Tests assert that there is none. */
  readonly blocked: readonly string[];
}

/** A browser context (its own storage, so its own workbench state) that cannot leave this computer. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<WorkbenchContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const blocked: string[] = [];
  await context.route(
    (url) => url.protocol.startsWith('http') && url.hostname !== '127.0.0.1',
    async (route) => {
      blocked.push(route.request().url());
      await route.abort();
    },
  );
  // Another program serves this to the workbench as it is usually run; without it no secret is ever kept.
  await context.route('**/mint-key', (route) =>
    route.fulfill({ body: Buffer.alloc(32, 7), contentType: 'application/octet-stream' }),
  );
  return { context, blocked };
}
