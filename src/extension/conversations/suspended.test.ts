import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, holdUntil, say } from '../../../test/support/ollama/chatStep';
import { bodyFaults } from '../../../test/support/ollama/bodyChecks';
import { ask, idle, MODEL } from '../../../test/support/windows/liveTalk';
import type { ApprovalRequest } from '../../protocol/approval';
import { SharedHistory } from '../../../test/support/windows/sharedHistory';
import type { LiveConversation } from './liveConversation';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

const APPROVAL: ApprovalRequest = {
  id: 'request',
  askedAt: 1,
  subject: { kind: 'read', path: '/etc/hosts' },
  reasons: ['outside'],
  grants: [],
  digest: 'd',
};

/** A conversation whose window was killed while a call waited for leave, as the next window finds it. */
async function suspended(): Promise<LiveConversation> {
  const window = await history.open();
  const live = window.create();
  history.server.script(say('Hello.'));
  await ask(live, 'Hi');
  await idle(live);
  history.server.script(callTool('list_files', {}), holdUntil(new Promise(() => undefined)));
  await ask(live, 'Go');
  await expect.poll(() => history.sql(`SELECT 1 FROM part WHERE type = 'tool'`)).toHaveLength(1);
  await history.kill(window);
  await history.sql(
    `UPDATE part SET state = 'awaiting_approval', data = json_set(data, '$.approval', json('${JSON.stringify(APPROVAL)}'))
      WHERE type = 'tool'`,
  );
  return history.reopened(live);
}

describe('a conversation whose call waits for leave since a restart', () => {
  it('can be read, and summarises nothing before the call is answered', async () => {
    const live = await suspended();
    expect(live.status).toMatchObject({ run: { kind: 'idle' }, owner: 'none' });
    expect(live.transcript.messages.at(-1)?.parts).toMatchObject([{ type: 'tool', state: 'awaiting_approval' }]);
    expect(await live.compact(MODEL)).toMatchObject({ ok: false, message: expect.stringContaining('waits') });
    expect(history.server.chats).toHaveLength(2);
  });

  it('lets the call expire when the person writes, and tells the model so', async () => {
    const live = await suspended();
    history.server.script(say('Fine.'));
    await ask(live, 'Never mind.');
    await idle(live);
    expect(live.transcript.messages[3]?.parts).toMatchObject([{ type: 'tool', state: 'expired' }]);
    const sent = history.server.chats.at(-1);
    expect(JSON.stringify(sent?.body)).toContain('This call was not run');
    expect(
      bodyFaults(history.server.chats, { question: 'Never mind.' }).filter((f) => f.startsWith('request 3')),
    ).toEqual([]);
  });
});
