import type { Frame, Locator, Page } from '@playwright/test';
import type { VsCodeServer } from './server';

/** On two busy cores a workbench has been seen to take 8 s. */
const READY_TIMEOUT_MS = 60_000;

/** How long a command may take to be known. */
const COMMAND_TIMEOUT_MS = 30_000;

/** Opens a folder in the workbench and waits until its extensions are loaded. */
export async function openWorkbench(page: Page, server: VsCodeServer, folder: string): Promise<void> {
  await page.goto(`${server.url}/?${new URLSearchParams({ folder }).toString()}`);
  await ready(page);
}

/** Waits until the workbench is up and extensions are loaded. */
export async function ready(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .activitybar').waitFor({ timeout: READY_TIMEOUT_MS });
  await page.waitForFunction(
    () =>
      ['code/didStartWorkbench', 'code/didLoadExtensions'].every(
        (name) => performance.getEntriesByName(name).length > 0,
      ),
    undefined,
    { timeout: READY_TIMEOUT_MS },
  );
}

/**
 * Runs a command through the palette, by the title it has there, `Category: Title`. One that is not there yet, because its
 * extension is still being loaded, is waited for.
 */
export async function run(page: Page, title: string): Promise<void> {
  const palette = page.locator('.quick-input-widget');
  const row = palette.locator('.monaco-list-row', { hasText: title }).first();
  const deadline = Date.now() + COMMAND_TIMEOUT_MS;
  while (Date.now() < deadline) {
    // The workbench may take the key before it can act on it.
    if (!(await palette.isVisible())) await page.keyboard.press('F1');
    const isOpen = await appears(palette, 1000);
    if (!isOpen) continue;
    // A view that takes the focus meanwhile closes it again.
    const isTyped = await succeeds(palette.locator('input.input').fill(`>${title}`, { timeout: 2000 }));
    if (!isTyped) continue;
    // A click, since Enter right after typing has been seen to run nothing.
    if ((await appears(row, 3000)) && (await succeeds(row.click({ timeout: 2000 })))) return;
    // The list does not grow while it is open.
    await page.keyboard.press('Escape');
  }
  throw new Error(`The command palette did not offer "${title}" within ${COMMAND_TIMEOUT_MS / 1000} s.`);
}

const appears = (locator: Locator, timeout: number): Promise<boolean> => succeeds(locator.waitFor({ timeout }));

const succeeds = (attempt: Promise<void>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  );

/** Reloads the window as a person would; open views and their state come back. */
export async function reloadWindow(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load', { timeout: READY_TIMEOUT_MS });
  await run(page, 'Developer: Reload Window');
  await loaded;
  await ready(page);
}

/**
 * Kills the extension hosts of a server, as a crash would. VS Code starts new ones by itself, but not after the third
 * time within five minutes, and webviews are resolved anew a second later: look frames up again.
 * @returns how many there were
 */
export function killExtensionHosts(server: VsCodeServer): number {
  const pids = server.extensionHosts();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return pids.length;
}

/** Finds the frame of a webview by something that is in it. A frame found before a reload or a crash is of no use after it. */
export async function webviewFrame(page: Page, marker: (frame: Frame) => Locator, timeoutMs = 30_000): Promise<Frame> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    // A webview is two frames, and the inner one is where the extension's page is.
    for (const frame of page.frames().filter((each) => each.url().includes('fake.html'))) {
      const count = await marker(frame)
        .count()
        .catch(() => 0); // The frame went away while we looked.
      if (count > 0) return frame;
    }
    await page.waitForTimeout(50);
  }
  throw new Error(
    `No webview holds what was looked for. Frames: ${page
      .frames()
      .map((each) => each.url())
      .join(', ')}`,
  );
}

/** Drags the edge of the secondary side bar until a webview in it has the given width, in CSS pixels. */
export async function resizeSideBar(page: Page, frame: Frame, width: number): Promise<void> {
  const bar = page.locator('.part.auxiliarybar');
  for (let i = 0; i < 5; i++) {
    const now = await frame.evaluate<number>('innerWidth');
    const box = await bar.boundingBox();
    if (now === width || box === null) return;
    const x = box.x - 1; // The edge that can be dragged lies just outside the bar.
    const y = box.y + box.height / 4;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + now - width, y, { steps: 4 });
    await page.mouse.up();
    // The frame learns its new size after the next layout.
    await page.waitForTimeout(200);
  }
  throw new Error(`The side bar cannot be made ${width} px wide in this window.`);
}
