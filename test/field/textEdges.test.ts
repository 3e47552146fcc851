import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../src/protocol/ids';
import type { Message } from '../../src/protocol/message';
import { PART_CHARS } from '../../src/extension/base/limits';
import type { LiveConversation } from '../../src/extension/conversations/liveConversation';
import { withShortParts } from '../../src/extension/conversations/view/wirePage';
import { bodyFaults } from '../support/ollama/bodyChecks';
import { callTools, holdUntil, say } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import { ask, idle, MODEL, until } from '../support/windows/liveTalk';
import { WORKSPACE } from '../support/windows/openWindow';
import { SharedHistory } from '../support/windows/sharedHistory';

/** U+1F3F7, two UTF-16 units: after an even number of them one border lies beside a pair, after an odd one within it. */
const TAG = '🏷';
const OFFSETS = [0, 1];

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

function tags(offset: number, length: number): string {
  return `${'x'.repeat(offset)}${TAG.repeat(Math.ceil(length / 2))}`;
}

/** Whether every text in it is well-formed, keys included. JSON writes half of a pair as an escape. */
function expectWellFormed(value: unknown): void {
  expect(JSON.stringify(value)).not.toMatch(/\\ud[89a-f]/i);
}

function textOf(live: LiveConversation): string {
  return (
    live.transcript.messages
      .at(-1)
      ?.parts.map((part) => (part.type === 'text' ? part.text : ''))
      .join('') ?? ''
  );
}

// H01
describe.each(OFFSETS)('U+1F3F7 across a border (offset %i) comes out whole or not at all', (offset) => {
  it('in titles, previews, drafts and the queue', async () => {
    const window = await history.open();
    const live = window.create();
    const end = new Gate();
    history.server.script(holdUntil(end.opened), say('Yes.'));
    await ask(live, tags(offset, 400));
    await history.server.nextChat();
    await live.send(randomUUID() as ClientId, tags(offset, 500), MODEL);
    live.setDraft({ text: tags(offset, 600), at: 1 });
    live.stop();
    await idle(live);
    const listed = await window.registry.list(WORKSPACE);
    expectWellFormed(listed);
    await history.close(window);
    const later = await history.reopened(live);
    expect(later.transcript.conversation.title).toContain(TAG);
    expectWellFormed(later.transcript);
    expect(later.draft?.text).toBe(tags(offset, 600));
    expect(later.status.queue.map(({ text }) => text)).toEqual([tags(offset, 500)]);
  });

  it('in results of tools, and in what the model is told of them', async () => {
    await writeFile(join(history.folder, 'line.txt'), tags(offset, 30_000));
    await writeFile(join(history.folder, 'lines.txt'), `${tags(offset, 200)}\n`.repeat(900));
    await writeFile(join(history.folder, `${tags(offset, 60)}.txt`), 'A long name.');
    const live = (await history.open()).create();
    history.server.script(
      callTools([
        { name: 'read_file', arguments: { path: 'line.txt' } },
        { name: 'read_file', arguments: { path: 'lines.txt' } },
        { name: 'read_file', arguments: { path: `${'x'.repeat(offset)}\ud83c.txt` } },
        { name: 'list_files', arguments: {} },
      ]),
    );
    history.server.script(say('Seen.'));
    await ask(live, 'Read them');
    await idle(live);
    const results = live.transcript.messages[1]?.parts.flatMap((part) => (part.type === 'tool' ? [part.result] : []));
    expect(results?.map((result) => result?.content.includes(TAG))).toEqual([true, true, false, true]);
    expectWellFormed(live.transcript);
    expect(bodyFaults(history.server.chats)).toEqual([]);
  });

  it('in the chunks of an answer whose window dies', async () => {
    const window = await history.open();
    const live = window.create();
    const whole = tags(offset, 9_000);
    // A record holds what a token holds: often half a character.
    const pieces = Array.from({ length: Math.ceil(whole.length / 7) }, (_, n) => whole.slice(n * 7, n * 7 + 7));
    history.server.script(say(...pieces), holdUntil(new Gate().opened));
    await ask(live, 'Tag it');
    await until(live, () => textOf(live).length >= 8_990);
    await history.kill(window);
    const kept = textOf(await history.reopened(live));
    expect(kept).toContain(TAG);
    expect(kept.isWellFormed()).toBe(true);
    expect(whole.startsWith(kept)).toBe(true);
  });

  it('in what a view is shown of a long part', () => {
    const result = { content: tags(offset, PART_CHARS + 100) };
    const message: Message = {
      seq: 1,
      role: 'assistant',
      status: 'done',
      createdAt: 1,
      parts: [
        { type: 'text', text: tags(offset, PART_CHARS + 100) },
        { type: 'thinking', text: tags(offset, PART_CHARS + 100), startedAt: 1 },
        { type: 'tool', name: 'read_file', arguments: {}, state: 'done', result },
        { type: 'notice', kind: 'compaction', text: tags(offset, PART_CHARS + 100), covers: 1 },
      ],
    };
    const short = withShortParts(message);
    expect(short.parts.map((part) => JSON.stringify(part).includes('"omitted"'))).toEqual([true, true, true, true]);
    expectWellFormed(short);
  });

  it('in summaries, and in what they are made of', async () => {
    const live = (await history.open()).create();
    history.server.fallback = (request) =>
      (request.tools?.length ?? 0) > 0 ? say(tags(offset, 2_000)) : say(tags(offset, 9_000));
    for (let turn = 0; turn < 3; turn += 1) {
      await ask(live, tags(offset, 1_500));
      await idle(live);
    }
    expect(await live.compact(MODEL)).toEqual({ ok: true });
    await idle(live);
    await ask(live, 'Go on');
    await idle(live);
    const summaries = live.transcript.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'notice'));
    expect(summaries).toHaveLength(1);
    expectWellFormed(live.transcript);
    expect(bodyFaults(history.server.chats)).toEqual([]);
  });
});
