// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClientId, ConversationId, StreamId } from '../../protocol/ids';
import type { Reply, SendParams } from '../../protocol/wire';
import { answer, AT_14_02, CONVERSATION, facts, status, STREAM, text, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' });
const form = (): HTMLElement => screen.getByRole('form', { name: 'Message composer' });
const type = async (words: string): Promise<void> => {
  fireEvent.input(box(), { target: { value: words } });
  await painted();
};
const enter = async (): Promise<void> => {
  fireEvent.keyDown(box(), { key: 'Enter' });
  await painted();
};
const image = (name = 'plan.png', type = 'image/png', bytes = 3): File =>
  new File([new Uint8Array(bytes)], name, { type });
const chips = (): (string | null)[] => {
  const list = within(form()).queryByRole('list', { name: 'Attachments' });
  return list === null
    ? []
    : within(list)
        .getAllByRole('listitem')
        .map((chip) => chip.textContent);
};
/** Waits until all that was given is read. */
const taken = async (count: number): Promise<void> => {
  await expect.poll(() => chips()).toHaveLength(count);
};
const paste = (...files: readonly File[]): void => {
  fireEvent.paste(box(), { clipboardData: { files, types: ['Files'] } });
};
/** The events of the browser itself: the names that the testing library makes are those of Preact. */
const drag = (type: 'dragover' | 'drop', ...files: readonly File[]): void => {
  const event = new Event(type, { bubbles: true, cancelable: true });
  Object.defineProperty(event, 'dataTransfer', { value: { files, types: ['Files'] } });
  form().dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
};

describe('An image', () => {
  let test: TestPage;
  beforeEach(async () => {
    test = openPage();
    await test.show([userMessage(1, 'hi'), answer(2, [text('ho')])]);
    box().focus();
  });
  const sent = (): readonly SendParams[] => test.host.askedFor('send') as readonly SendParams[];

  const showOther = async (): Promise<void> => {
    await test.emit({ kind: 'stale' });
    const conversation = { id: 'other' as ConversationId, kind: 'chat', title: 'Other', createdAt: AT_14_02 } as const;
    await test.show([], { stream: 'o' as StreamId, transcript: { conversation, messages: [], hasOlder: false } });
  };

  it('is pasted, shown as a chip, and sent with the message as bare base64', async () => {
    paste(image());
    await taken(1);
    expect(chips()).toEqual(['plan.png1 kB']);
    expect(box().placeholder).toBe('Ask about the image');
    await type('What is this?');
    await enter();
    expect(sent()).toMatchObject([
      { text: 'What is this?', images: [{ name: 'plan.png', mediaType: 'image/png', data: 'AAAA' }] },
    ]);
    expect(chips()).toEqual([]);
    const own = screen.getAllByRole('article', { name: /^You/ }).at(-1) ?? document.body;
    expect(within(own).getByRole('list', { name: 'Attachments' }).textContent).toBe('plan.png1 kB');
  });

  it('is dropped, or chosen from the disk', async () => {
    drag('dragover', image());
    await painted();
    expect(form().className).toContain('is-drop');
    drag('drop', image());
    await taken(1);
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    expect(input?.accept).toBe('image/png,image/jpeg,image/webp');
    Object.defineProperty(input, 'files', { configurable: true, value: [image('b.webp', 'image/webp')] });
    fireEvent.change(input ?? document.body);
    await taken(2);
    expect(screen.getByRole('button', { name: 'Add image' })).toBeTruthy();
  });

  it('is taken away by its button, and the focus is back in the text', async () => {
    paste(image(), image('other.png'));
    await taken(2);
    fireEvent.click(screen.getByRole('button', { name: 'Remove plan.png' }));
    await painted();
    expect(chips()).toEqual(['other.png1 kB']);
    expect(document.activeElement).toBe(box());
  });

  it('has a name of its own, so that each can be taken away', async () => {
    paste(image('image.png'), image('image.png'));
    await taken(2);
    expect(chips()).toEqual(['Pasted image1 kB', 'Pasted image 21 kB']);
  });

  it('is left alone when text is pasted with a picture of it', async () => {
    fireEvent.paste(box(), { clipboardData: { files: [image()], types: ['text/plain', 'Files'] } });
    await painted();
    expect(chips()).toEqual([]);
  });

  it.each([
    ['of another kind', [image('a.gif', 'image/gif')], 'a.gif is not a PNG, JPEG or WebP image.', 0],
    ['that is too large', [image('big.png', 'image/png', 10_000_001)], 'big.png is larger than 10 MB.', 0],
    [
      'that is one too many',
      ['a', 'b', 'c', 'd', 'e'].map((name) => image(name)),
      'At most 4 images go with one message.',
      4,
    ],
  ])('%s is refused with a sentence', async (_, files, words, count) => {
    paste(...files);
    await expect.poll(() => screen.queryByText(words)).toBeTruthy();
    expect(chips()).toHaveLength(count);
  });

  it('is refused in the conversation that it was meant for, not in another one', async () => {
    paste(image('a.gif', 'image/gif'));
    const words = 'a.gif is not a PNG, JPEG or WebP image.';
    await expect.poll(() => screen.queryByText(words)).toBeTruthy();
    await showOther();
    expect(screen.queryByText(words)).toBeNull();
  });

  describe('for a model that cannot see', () => {
    const blind = facts({
      version: 2,
      server: { kind: 'up', host: 'h', version: '1', models: [{ name: 'qwen3:14b', vision: false }, { name: 'x:1b' }] },
    });

    it('is not taken, and the reason is said', async () => {
      await test.emit({ kind: 'facts', facts: blind });
      paste(image());
      await painted();
      expect(screen.getByText('qwen3:14b cannot see images. Choose a model with vision.')).toBeTruthy();
      expect(chips()).toEqual([]);
    });

    it('keeps the message from being sent, until it is taken away or another model is chosen', async () => {
      paste(image());
      await taken(1);
      await type('What is this?');
      await test.emit({ kind: 'facts', facts: blind });
      expect(screen.getByText(/^qwen3:14b cannot see images\. Remove them/)).toBeTruthy();
      await enter();
      expect(sent()).toEqual([]);
      const events = [{ type: 'conversation_changed', model: 'x:1b' }] as const;
      await test.emit({ kind: 'batch', stream: STREAM, from: 1, events });
      await enter();
      expect(sent()).toHaveLength(1);
    });
  });

  it('comes back with the text when the message is refused, and goes again under the same id', async () => {
    test.host.reply = ({ method }) => (method === 'send' ? { ok: false, message: 'No.' } : { ok: true });
    paste(image());
    await taken(1);
    await type('What is this?');
    await enter();
    await painted();
    expect(box().value).toBe('What is this?');
    expect(chips()).toEqual(['plan.png1 kB']);
    await enter();
    expect(sent()[1]).toEqual(sent()[0]);
  });

  it('that comes back to others of its name is told apart from them', async () => {
    let refuse: (reply: Reply) => void = () => undefined;
    test.host.reply = ({ method }) =>
      method === 'send' ? new Promise<Reply>((resolve) => (refuse = resolve)) : { ok: true };
    paste(image());
    await taken(1);
    await type('What is this?');
    await enter();
    paste(image());
    await taken(1);
    refuse({ ok: false, message: 'No.' });
    await taken(2);
    expect(chips()).toEqual(['plan.png1 kB', 'plan.png 21 kB']);
  });

  it('comes back with its message out of the queue', async () => {
    const run = { kind: 'writing', startedAt: 1 } as const;
    await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 2, run }) });
    paste(image());
    await taken(1);
    await type('What is this?');
    await enter();
    const clientId = sent()[0]?.clientId ?? ('' as ClientId);
    const queue = [{ clientId, text: 'What is this?', createdAt: AT_14_02 }];
    await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 3, run, queue }) });
    fireEvent.click(screen.getByRole('button', { name: 'Edit queued message 1' }));
    await painted();
    expect(chips()).toEqual(['plan.png1 kB']);
    expect(test.host.askedFor('unqueue')).toEqual([{ conversationId: CONVERSATION, clientId }]);
  });

  it('of a message that was sent is a chip with its name and size', async () => {
    const other = openPage();
    const part = {
      type: 'attachment',
      kind: 'image',
      name: 'plan.jpg',
      mediaType: 'image/jpeg',
      bytes: 1.4e6,
    } as const;
    await other.show([userMessage(1, '', { parts: [{ type: 'text', text: 'Look' }, part] })]);
    const own = screen.getByRole('article', { name: /^You/ });
    expect(within(own).getByRole('list', { name: 'Attachments' }).textContent).toBe('plan.jpg1 MB');
  });
});
