import { isDeepStrictEqual } from 'node:util';
import { callTool, say, type ChatStep } from '../ollama/chatStep';
import { bodyFaults } from '../ollama/bodyChecks';
import { TestFolder } from '../agent/testTools';
import type { LiveConversation } from '../../../src/extension/conversations/liveConversation';
import { ask, calls, idle, said, waiting } from './liveTalk';
import type { TestWindow, WindowOptions } from './openWindow';
import { SharedHistory } from './sharedHistory';

/** What is asked in these talks. */
export const QUESTION = 'Write it.';

/** A call that writes a file of the folder. */
export function write(content: string, path = 'a.ts'): ChatStep {
  return callTool('write_file', { path, content });
}

/** A history whose windows write files of one folder in memory and run commands, when leave is given. */
export class AskingHistory {
  readonly folder = new TestFolder();

  private constructor(readonly shared: SharedHistory) {}

  static async make(): Promise<AskingHistory> {
    return new AskingHistory(await SharedHistory.make());
  }

  open(options: WindowOptions = {}): Promise<TestWindow> {
    return this.shared.open({ tools: [this.folder.writeFile, this.folder.runCommand], ...options });
  }

  /** A conversation in which a write waits for leave, with a command behind it. */
  async asking(window: TestWindow): Promise<LiveConversation> {
    const live = window.create();
    this.shared.server.script(write('new'), callTool('run_command', { command: 'make' }));
    await ask(live, QUESTION);
    await waiting(live);
    return live;
  }

  /** A conversation that has begun. */
  async begun(window: TestWindow): Promise<LiveConversation> {
    const live = window.create();
    this.shared.server.script(say('Hello.'));
    await ask(live, 'Hi');
    await idle(live);
    return live;
  }

  /** Answers both calls with yes, unless the first one was answered already, until the turn has ended. */
  async allowAll(live: LiveConversation, answered?: string): Promise<void> {
    this.shared.server.script(say('All done.'));
    const first = answered ?? (await allowNext(live));
    await allowNext(live, first);
    await idle(live);
  }

  /** What is wrong with the conversation after that: each call is made once, the history is valid, the file agrees. */
  async faults(live: LiveConversation): Promise<readonly string[]> {
    const faults: string[] = [];
    const done = this.folder.done.join(', ');
    if (done !== 'write a.ts, wrote a.ts, run make') faults.push(`done: ${done}`);
    const states = calls(live).map(({ state }) => state);
    if (states.join() !== 'done,done') faults.push(`calls: ${states.join()}`);
    if (said(live).at(-1) !== 'assistant, done: All done.') faults.push(`said: ${said(live).join('; ')}`);
    faults.push(...bodyFaults(this.shared.server.chats, { question: QUESTION }));
    const stored = await this.shared.reopened(live);
    if (!isDeepStrictEqual(stored.transcript.messages, live.transcript.messages))
      faults.push(`the file holds ${said(stored).join('; ')}, or not the same calls`);
    return faults;
  }

  remove(): Promise<void> {
    return this.shared.remove();
  }
}

/** Allows the call that waits, or the one after that which was `answered`. Answers the id of its request. */
export async function allowNext(live: LiveConversation, answered?: string): Promise<string> {
  const { id } = await waiting(live, answered);
  const reply = await live.answer(id, { kind: 'allow' });
  if (!reply.ok) throw new Error(reply.message);
  return id;
}
