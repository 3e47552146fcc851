import { holdUntil, say } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import { expect, MODEL, test } from '../support/workbench/fixtures';
import { answerShows, names } from '../support/workbench/shown';

const GIGABYTE = 1_000_000_000;

test.describe('The model', () => {
  test('is pulled where there is none: a row to press, how far it is, and then it answers', async ({
    panel,
    ollama,
  }) => {
    ollama.models.remove(MODEL);
    await panel.newConversation();
    const row = (await panel.frame()).getByRole('button', { name: /^Pull \S+:\S+$/ }).first();
    const model = (await row.getAttribute('aria-label'))?.replace('Pull ', '') ?? '';
    const rest = new Gate();
    ollama.offer({
      model: { name: model, capabilities: ['completion', 'tools', 'thinking'] },
      layers: [{ digest: 'ab'.repeat(32), total: 4 * GIGABYTE, tells: [0, GIGABYTE, 4 * GIGABYTE] }],
      hold: (completed) => (completed === 4 * GIGABYTE ? rest.opened : undefined),
    });
    await row.click();
    const progress = (await panel.frame()).getByRole('progressbar', { name: `Pulling ${model}` });
    await expect(progress).toHaveAttribute('aria-valuenow', '25');
    rest.open();
    await expect(await panel.button(`Model: ${model}`)).toBeVisible();
    ollama.script(say('I have just arrived.'));
    await panel.ask('Are you there?');
    expect((await panel.waitForAnswer()).text).toContain('I have just arrived.');
    expect(await names(panel)).toEqual(['You', `${model}, done`]);
  });

  test('is waited for in words while it is loaded; Stop works then, and the next message is answered', async ({
    panel,
    ollama,
  }) => {
    const loaded = new Gate();
    ollama.holdLoads(loaded.opened);
    // Asked and never answered: it is stopped while the model is loaded.
    ollama.script(holdUntil(new Gate().opened));
    ollama.script(say('Loaded.'));
    await panel.ask('Are you awake?');
    const chat = await ollama.nextChat();
    await expect((await panel.frame()).getByText(`Loading ${MODEL} into memory`)).toBeVisible();
    await (await panel.button(/^Stop$/)).click();
    await chat.closed;
    expect((await panel.waitForAnswer()).name).toMatch(/stopped$/);
    await panel.ask('And now?');
    await expect((await panel.frame()).getByText(`Loading ${MODEL} into memory`)).toBeVisible();
    loaded.open();
    await answerShows(panel, 'Loaded.');
  });
});
