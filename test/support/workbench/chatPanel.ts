import type { Frame, Locator, Page } from '@playwright/test';
import { run, webviewFrame } from './workbench';

/** The states in which an answer has ended; they close the name of its article. */
const ENDED = /, (done|stopped|cut off|interrupted|failed)$/;

/** How long the transcript must stand still before an answer counts as complete: between two steps nothing is written. */
const QUIET_MS = 300;

/** One message as it is on screen. */
export interface ShownMessage {
  /** `You, 14:02` or `{model}, 14:03, {state}`. */
  readonly name: string;
  readonly text: string;
}

/** Shows the chat view, wherever it sits, and waits for its page. */
export async function openChat(page: Page): Promise<ChatPanel> {
  await run(page, 'Holdfast: Focus on Chat View');
  const panel = new ChatPanel(page);
  await panel.frame();
  return panel;
}

/** Drives the chat as a person would, by the roles and names a screen reader hears. */
export class ChatPanel {
  constructor(private readonly page: Page) {}

  /** The page of the chat view, looked up anew: it is another one after a reload, a crash, and when the view was hidden. */
  frame(): Promise<Frame> {
    return webviewFrame(this.page, (frame) =>
      frame.getByRole('textbox', { name: 'Message', exact: true }).or(frame.getByRole('log', { name: 'Conversation' })),
    );
  }

  /** The text field of the composer. */
  async message(): Promise<Locator> {
    return (await this.frame()).getByRole('textbox', { name: 'Message', exact: true });
  }

  /** A button of the panel, by its name or the beginning of it. */
  async button(name: string | RegExp): Promise<Locator> {
    return (await this.frame()).getByRole('button', { name });
  }

  /** Presses the button in the view's title. */
  async newConversation(): Promise<void> {
    await this.page.getByRole('button', { name: 'New Conversation' }).click();
  }

  /** Starts a new conversation, and waits until it can be written in. */
  async startAnew(): Promise<void> {
    await this.newConversation();
    await this.until('the new conversation is shown', (shown) => shown.length === 0, 15_000);
    await (await this.frame()).getByRole('button', { name: /^Model: (?!No model)/ }).waitFor();
  }

  /** Sends a message and waits until the transcript shows it. */
  async ask(text: string): Promise<void> {
    const before = (await this.transcript()).filter(isOwn).length;
    const frame = await this.frame();
    await frame.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
    await frame.getByRole('button', { name: 'Send message' }).click();
    await this.until('the sent message is shown', (shown) => shown.filter(isOwn).length > before, 15_000);
  }

  /** Waits until the run has ended, in whatever way, and answers with the last message. */
  async waitForAnswer(timeoutMs = 60_000): Promise<ShownMessage> {
    let quietSince = Date.now();
    let last = '';
    const shown = await this.until(
      'the answer is complete',
      (messages, running) => {
        const now = JSON.stringify(messages);
        if (now !== last || running || !ENDED.test(messages.at(-1)?.name ?? '')) quietSince = Date.now();
        last = now;
        return Date.now() - quietSince >= QUIET_MS;
      },
      timeoutMs,
    );
    return shown.at(-1) as ShownMessage;
  }

  /** The messages that are on screen, oldest first. Those far outside the visible part of a long one are not in the page. */
  async transcript(): Promise<readonly ShownMessage[]> {
    const frame = await this.frame();
    return frame.getByRole('article').evaluateAll((articles) =>
      articles.map((article) => ({
        name: article.getAttribute('aria-label') ?? '',
        text: article.innerText,
      })),
    );
  }

  private async until(
    what: string,
    met: (shown: readonly ShownMessage[], running: boolean) => boolean,
    timeoutMs: number,
  ): Promise<readonly ShownMessage[]> {
    const deadline = Date.now() + timeoutMs;
    let shown: readonly ShownMessage[] = [];
    while (Date.now() < deadline) {
      // A frame can go away between two questions to it; the next round finds its successor.
      const seen = await this.look().catch(() => undefined);
      if (seen && met((shown = seen.shown), seen.running)) return shown;
      await this.page.waitForTimeout(50);
    }
    throw new Error(`Not within ${timeoutMs / 1000} s: ${what}. On screen: ${JSON.stringify(shown, null, 2)}`);
  }

  private async look(): Promise<{ shown: readonly ShownMessage[]; running: boolean }> {
    const stop = await this.button(/^Stop$/);
    return { shown: await this.transcript(), running: await stop.isVisible() };
  }
}

const isOwn = ({ name }: ShownMessage): boolean => name.startsWith('You, ');
