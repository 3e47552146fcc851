import type { Locator } from '@playwright/test';
import type { ChatPanel } from './chatPanel';

/** The card of a call that waits for leave, by what it asks for in a few words. */
export class ApprovalCard {
  constructor(
    private readonly panel: ChatPanel,
    private readonly what: string,
  ) {}

  /** Looked up anew: the page is another one after a reload and a crash. */
  async group(): Promise<Locator> {
    return (await this.panel.frame()).getByRole('group', { name: `Approval: ${this.what}`, exact: true });
  }

  async press(button: string): Promise<void> {
    await (await this.group()).getByRole('button', { name: button, exact: true }).click();
  }

  /** Denies, with words that the model is told. */
  async denyWith(words: string): Promise<void> {
    await this.press('Deny and say why…');
    const card = await this.group();
    await card.getByRole('textbox', { name: 'Reason for denying' }).fill(words);
    await card.getByRole('button', { name: 'Deny with this reason' }).click();
  }
}

/** Chooses how much may be done without asking. */
export async function chooseMode(panel: ChatPanel, mode: 'Ask' | 'Auto-edit' | 'Bypass'): Promise<void> {
  await (await panel.button(/^Mode: /)).click();
  const menu = (await panel.frame()).getByRole('menu', { name: 'Mode' });
  await menu.getByText(mode, { exact: true }).click();
  await (await panel.button(`Mode: ${mode}`)).waitFor();
}
