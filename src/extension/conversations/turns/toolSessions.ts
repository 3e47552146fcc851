import type { ConversationId } from '../../../protocol/ids';
import { RunningCommands } from '../../tools/commands/runningCommands';
import { SeenFiles } from '../../tools/files/seenFiles';

/** What tools remember of one conversation from turn to turn, as long as the window lives. */
export interface ToolSession {
  readonly seen: SeenFiles;
  readonly commands: RunningCommands;
}

/** The sessions of the conversations of this window that used tools. */
export class ToolSessions {
  readonly #outputs: string;
  readonly #sessions = new Map<ConversationId, ToolSession>();

  /** `outputs`: folder on a disk for what commands print, made when it is needed. */
  constructor(outputs: string) {
    this.#outputs = outputs;
  }

  /**
   * The session of a conversation for a turn. A turn that is aborted, for whatever reason, takes the commands of its
   * conversation along, those in the background included; one that ends leaves these running.
   */
  forTurn(id: ConversationId, signal: AbortSignal): ToolSession {
    const session = this.#sessions.get(id) ?? {
      seen: new SeenFiles(),
      commands: new RunningCommands(this.#outputs),
    };
    this.#sessions.set(id, session);
    const stop = (): void => void session.commands.stopAll();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return session;
  }

  /** Ends every command of the window. Resolves when they are gone. */
  async dispose(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map(({ commands }) => commands.stopAll()));
  }
}
