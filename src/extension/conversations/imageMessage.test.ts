import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Frame } from '../../protocol/frame';
import type { ClientId, HelloId } from '../../protocol/ids';
import type { AttachmentPart } from '../../protocol/part';
import type { SentImage } from '../../protocol/wire';
import { ManualClock } from '../../../test/support/manualClock';
import { ScriptedClient } from '../../../test/support/scriptedClient';
import { holdUntil, say } from '../../../test/support/ollama/chatStep';
import { Gate } from '../../../test/support/ollama/gate';
import { MODEL, ask, idle } from '../../../test/support/windows/liveTalk';
import { SharedHistory } from '../../../test/support/windows/sharedHistory';
import type { TestWindow } from '../../../test/support/windows/openWindow';
import type { LiveConversation } from './liveConversation';
import { ViewSession } from './view/viewSession';
import { WindowFactsWatch } from './facts/windowFacts';

const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7919) % 256)),
]);
const IMAGE: SentImage = { name: 'screen.png', mediaType: 'image/png', data: PNG.toString('base64') };
const NAMED = {
  type: 'attachment',
  kind: 'image',
  name: 'screen.png',
  mediaType: 'image/png',
  bytes: PNG.length,
} as const;
const PART: AttachmentPart = { ...NAMED, data: IMAGE.data };

let history: SharedHistory;
let window: TestWindow;
let live: LiveConversation;
let frames: Frame[];
let client: ScriptedClient;
let facts: WindowFactsWatch;
let session: ViewSession;

beforeEach(async () => {
  history = await SharedHistory.make();
  window = await history.open();
  live = window.create();
  frames = [];
  client = new ScriptedClient();
  client.models = [{ name: MODEL }];
  const clock = new ManualClock();
  facts = new WindowFactsWatch(
    {
      folder: () => undefined,
      remote: () => undefined,
      memory: () => 0,
      offers: () => Promise.resolve([]),
      useHost: () => Promise.resolve(),
      server: () => ({ host: 'h', client }),
      lastModel: () => MODEL,
      remember: () => undefined,
    },
    clock,
  );
  await facts.ask();
  session = new ViewSession({ store: window.store, clock, facts }, { post: (frame) => frames.push(frame) }, live);
  session.ready({ hello: 'hello' as HelloId });
});

afterEach(async () => {
  session.dispose();
  await history.remove();
});

function send(clientId: string, images: readonly SentImage[]) {
  return session.send({ conversationId: live.id, clientId: clientId as ClientId, text: 'What is this?', images });
}

describe('a message with an image', () => {
  it('is kept with the bytes beside it, once, and comes back whole in another window and in a fork', async () => {
    history.server.script(say('A screen.'));
    expect(await send('a', [IMAGE, IMAGE])).toEqual({ ok: true });
    await idle(live);
    const [message] = live.transcript.messages;
    expect(message?.parts).toEqual([{ type: 'text', text: 'What is this?' }, PART, PART]);
    expect(await history.sql('SELECT count(*) AS n, max(length(data)) AS bytes FROM blob')).toEqual([
      { n: 1, bytes: PNG.length },
    ]);
    expect(await history.sql(`SELECT data FROM part WHERE type = 'attachment' LIMIT 1`)).toEqual([
      { data: JSON.stringify({ kind: 'image', name: 'screen.png', mediaType: 'image/png', bytes: PNG.length }) },
    ]);
    await expect.poll(() => live.status.save.kind).toBe('saved');
    const there = await history.reopened(live);
    expect(there.transcript).toEqual(live.transcript);
    const fork = window.registry.fork(live);
    await expect.poll(() => fork.status.save.kind).toBe('saved');
    expect((await history.reopened(fork)).transcript.messages[0]?.parts).toEqual(message?.parts);
  });

  it('is shown without its data: as it is sent, in a snapshot and in a page', async () => {
    history.server.script(say('A screen.'));
    await send('a', [IMAGE]);
    await idle(live);
    session.ready({ hello: 'again' as HelloId });
    await session.olderPage({ stream: live.stream, beforeSeq: 2 });
    expect(JSON.stringify(frames)).not.toContain(IMAGE.data.slice(0, 200));
    const snapshots = frames.flatMap((frame) => (frame.kind === 'snapshot' ? [frame.transcript.messages] : []));
    expect(snapshots.at(-1)?.[0]?.parts).toEqual([{ type: 'text', text: 'What is this?' }, NAMED]);
  });

  it('costs only its image when that is missing from the file', async () => {
    history.server.script(say('A screen.'));
    await send('a', [IMAGE]);
    await idle(live);
    await history.sql('DELETE FROM blob');
    const there = await history.reopened(live);
    expect(there.transcript.messages[0]?.parts).toEqual([{ type: 'text', text: 'What is this?' }, NAMED]);
  });

  it('is refused, and nothing is recorded, when the model is known to be blind', async () => {
    client.models = [{ name: MODEL, vision: false }];
    await facts.ask();
    expect(await send('a', [IMAGE])).toEqual({
      ok: false,
      message: 'm cannot see images. Choose another model, or remove the images.',
    });
    expect(live.transcript.messages).toEqual([]);
  });

  it('is refused when the image is none, or when there are no words', async () => {
    expect(await send('a', [{ ...IMAGE, data: 'AAAA' }])).toMatchObject({ ok: false });
    expect(await live.send('b' as ClientId, ' ', MODEL, [PART])).toEqual({
      ok: false,
      message: 'Write something to go with the image.',
    });
    expect(live.transcript.messages).toEqual([]);
  });

  it('does not wait in the queue', async () => {
    history.server.script(holdUntil(new Gate().opened));
    await ask(live, 'One');
    expect(await send('b', [IMAGE])).toEqual({
      ok: false,
      message: 'Images cannot wait in the queue. Send them when the answer is done.',
    });
    expect(live.status.queue).toEqual([]);
  });
});
