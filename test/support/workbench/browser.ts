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
  // Nothing leaves this computer. Playwright's own way, routes, would switch the browser's cache off as well.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** How to start the system's Chromium, headless. */
export const launchOptions = (): LaunchOptions => ({ executablePath: toolPath('chromium'), args: ARGS });

/** Starts the browser. The caller closes it. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(launchOptions());

export interface WorkbenchContext {
  readonly context: BrowserContext;
  /** Every address outside this computer that a page asked for, in vain. Tests assert that there is none. */
  readonly blocked: readonly string[];
}

/** A browser context (its own storage, so its own workbench state) that cannot leave this computer. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<WorkbenchContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const blocked: string[] = [];
  context.on('requestfailed', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') blocked.push(request.url());
  });
  return { context, blocked };
}
