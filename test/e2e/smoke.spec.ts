import { openChat } from '../support/workbench/chatPanel';
import { expect, test } from '../support/workbench/fixtures';
import { killExtensionHosts, openWorkbench, reloadWindow } from '../support/workbench/workbench';

test.describe('The chat in a real workbench', () => {
  test('answers about a file and shows the same transcript after a reload', async ({
    page,
    server,
    folder,
    workbench,
  }) => {
    await openWorkbench(page, server, folder);
    const panel = await openChat(page);

    await panel.ask('What does README.md say?');
    const answer = await panel.waitForAnswer();

    expect(answer.name).toMatch(/, done$/);
    expect(answer.text.trim()).not.toBe('');
    await expect(await panel.button(/^Read README\.md/)).toBeVisible();
    const before = await panel.transcript();

    await reloadWindow(page);
    const reloaded = await openChat(page);
    await expect.poll(() => reloaded.transcript()).toEqual(before);

    expect(workbench.blocked, 'nothing is asked of any other computer').toEqual([]);
  });

  test('shows the same transcript after its extension host was killed', async ({ page, server, folder }) => {
    await openWorkbench(page, server, folder);
    const panel = await openChat(page);
    await panel.ask('What does README.md say?');
    await panel.waitForAnswer();
    const before = await panel.transcript();
    const old = await panel.frame();

    expect(killExtensionHosts(server)).toBe(1);

    // The old page stays on screen for a moment; what counts is what the new one shows.
    await expect.poll(() => old.isDetached()).toBe(true);
    await expect.poll(() => panel.transcript()).toEqual(before);
  });
});
