import { expect } from '@playwright/test';
import type { ChatPanel } from './chatPanel';

/** Names of the messages on screen without the time, which is the machine's. */
export async function names(panel: ChatPanel): Promise<readonly string[]> {
  return (await panel.transcript()).map(({ name }) => name.replace(/, [^,]*\d[^,]*?(?=,|$)/, ''));
}

/** Waits until the last message on screen holds `text`. */
export async function answerShows(panel: ChatPanel, text: string): Promise<void> {
  await expect.poll(async () => (await panel.transcript()).at(-1)?.text ?? '').toContain(text);
}
