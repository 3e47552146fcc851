import type { ConversationId } from '../../src/protocol/ids';
import { silentLog } from '../../src/extension/base/log';
import type { LiveConversation } from '../../src/extension/conversations/liveConversation';
import type { ModelEvent } from '../../src/extension/ollama/modelClient';
import { ScriptedClient } from '../support/scriptedClient';
import { idle, until } from '../support/windows/liveTalk';
import { answerRequest, shownRequest, type ShownRequest } from './askedPerson';
import type { Ledger } from './ledger';
import type { WorkerLine } from './lines';
import type { Problem } from './problem';
import { Random } from './random';
import { tortureWindow } from './tortureWindow';

/** Who answers when all others are gone. */
const WHO = 'the end';
/** A turn whose calls are all answered at once ends within this time (ms), on a busy machine, too. */
const ENDING_MS = 20_000;

/** A model that has nothing to add. */
class DoneClient extends ScriptedClient {
  override async *chat(): AsyncGenerator<ModelEvent, void, undefined> {
    yield { type: 'text', text: 'Done.' };
    yield { type: 'end', reason: 'stop', usage: {} };
  }
}

/**
 * Answers calls that wait since nobody runs them, in a fresh window, and looks that each is made once, or not at all when
 * it is denied. Every third is denied.
 */
export async function answerWaiting(
  folder: string,
  files: string,
  ledger: Ledger,
  waiting: readonly ConversationId[],
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const made: string[] = [];
  const window = tortureWindow({
    folder,
    files,
    log: silentLog,
    random: (of) => new Random(0, of),
    model: () => new DoneClient(),
    tell: (line) => heard(line),
  });
  await window.store.start();
  for (const [index, id] of waiting.entries()) {
    const why = await answered(id, index % 3 === 2 ? 'deny' : 'allow');
    if (why !== undefined)
      problems.push({ invariant: 'waitingFaults', words: `${id} waited at the end, and ${why}.`, conversation: id });
  }
  await window.close();
  return problems;

  function heard(line: WorkerLine): void {
    if (line.kind === 'ack') ledger.acknowledged(WHO, line, { at: 0, who: WHO, line });
    else if (line.kind === 'leave') ledger.calls.leaveGiven(WHO, line);
    else if (line.kind === 'effect') {
      made.push(line.mark);
      problems.push(...ledger.calls.effected(WHO, line));
    }
  }

  /** Why it cannot be answered, or what became of it instead; undefined: all went well. */
  async function answered(id: ConversationId, kind: 'allow' | 'deny'): Promise<string | undefined> {
    const opened = await window.registry.open(id);
    if (!opened.ok) return `it does not open: ${opened.failure.sentence}`;
    const { value: live } = opened;
    const shown = shownRequest(live);
    if (shown === undefined) return 'nothing can be answered in it';
    const [reply] = await answerRequest(live, shown, [{ kind }], heard);
    if (reply?.ok !== true) return `the answer was refused: ${reply?.message}`;
    if (!(await ended(live, shown))) return 'it did not go on';
    const times = made.filter((mark) => mark === shown.mark).length;
    const wanted = kind === 'allow' ? 1 : 0;
    return times === wanted ? undefined : `its call ${shown.mark} was made ${times} times after “${kind}”`;
  }

  /** Allows what waits behind it. False: the turn did not end in time. */
  async function ended(live: LiveConversation, first: ShownRequest): Promise<boolean> {
    let over = false;
    let before = first.request.id;
    const allowing = (async () => {
      for (;;) {
        await until(live, () => over || live.status.run.kind === 'idle' || waitsAnew(live, before));
        const shown = shownRequest(live);
        if (over || shown === undefined || shown.request.id === before) return;
        before = shown.request.id;
        await answerRequest(live, shown, [{ kind: 'allow' }], heard);
      }
    })();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), ENDING_MS);
    });
    const how = await Promise.race([allowing.then(() => idle(live)), late]);
    over = true;
    clearTimeout(timer);
    return how !== 'late';
  }
}

function waitsAnew(live: LiveConversation, before: string): boolean {
  const id = shownRequest(live)?.request.id;
  return id !== undefined && id !== before;
}
