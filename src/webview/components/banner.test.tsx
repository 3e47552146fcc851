// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId, HelloId, StreamId } from '../../protocol/ids';
import type { Reply } from '../../protocol/wire';
import { answer, CONVERSATION, snapshot, status, STREAM, text, userMessage } from '../testing/build';
import { openPage, painted, type TestPage } from '../testing/page';

const FORK = '01JYYYYYYYYYYYYYYYYYYYYYYY' as ConversationId;

const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' });
const button = (name: string): HTMLButtonElement => screen.getByRole('button', { name });
const press = async (name: string): Promise<void> => {
  fireEvent.click(button(name));
  await painted();
};
const problem = (): HTMLElement => screen.getByRole('alert', { name: 'Error' });

describe('A way from reading to writing', () => {
  let test: TestPage;
  let answerWith: (reply: Reply) => Promise<void>;
  /** From here on what the person asks for waits for its answer. */
  const hold = (): void => {
    test.host.reply = ({ method }) => {
      if (method === 'ready') return { ok: true };
      return new Promise((resolve) => {
        answerWith = async (reply) => {
          resolve(reply);
          await painted();
        };
      });
    };
  };
  const showFork = async (): Promise<void> => {
    await test.emit({ kind: 'stale' });
    const messages = [userMessage(1, 'the first'), answer(2, [text('ok')])];
    const { transcript } = snapshot('' as HelloId, messages);
    const conversation = { ...transcript.conversation, id: FORK };
    await test.show([], { stream: 'stream-2' as StreamId, transcript: { ...transcript, conversation } });
  };
  beforeEach(async () => {
    test = openPage();
    await test.show([userMessage(1, 'the first'), answer(2, [text('ok')])]);
  });

  describe('while another window writes', () => {
    const banner = (): HTMLElement => screen.getByRole('status', { name: 'Running in another window' });
    beforeEach(async () => {
      await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 2, owner: 'elsewhere' }) });
    });

    it('offers to go on here or in a fork, in place of the composer', () => {
      expect(banner().textContent).toContain('You follow it live, read-only. You can write here when it ends.');
      expect(within(banner()).getAllByRole('button')).toHaveLength(2);
      expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
    });

    it('takes over: says so, cannot be asked twice, and ends with the focus in the composer', async () => {
      hold();
      await press('Continue here');
      expect(test.host.askedFor('continueHere')).toEqual([{ conversationId: CONVERSATION }]);
      expect(banner().textContent).toContain('Taking over…');
      expect([button('Continue here').disabled, button('Fork').disabled]).toEqual([true, true]);
      await answerWith({ ok: true });
      expect(button('Continue here').disabled).toBe(true);
      await test.emit({ kind: 'status', stream: STREAM, status: status({ version: 3, owner: 'here' }) });
      expect(screen.queryByRole('status', { name: 'Running in another window' })).toBeNull();
      expect(document.activeElement).toBe(box());
    });

    it('says why it was not taken over, and can be asked again', async () => {
      hold();
      await press('Continue here');
      await answerWith({ ok: false, message: 'The other window did not let go.' });
      expect(problem().textContent).toContain('Not taken over. The other window did not let go.');
      expect(button('Continue here').disabled).toBe(false);
    });

    it('forks, and leaves the words of the other window where they are', async () => {
      test.page.ui.setDraft('of the other window');
      hold();
      await press('Fork');
      expect(test.host.askedFor('fork')).toEqual([{ conversationId: CONVERSATION }]);
      expect(banner().textContent).toContain('Making a fork…');
      await showFork();
      await answerWith({ ok: true });
      expect(box().value).toBe('');
      expect(document.activeElement).toBe(box());
    });
  });

  describe('after a message was refused', () => {
    const refused = async (reply: Reply): Promise<void> => {
      test.host.reply = () => reply;
      fireEvent.input(box(), { target: { value: 'why?' } });
      fireEvent.keyDown(box(), { key: 'Enter' });
      await painted();
    };

    it('offers a fork when the host does, and takes the text along', async () => {
      await refused({ ok: false, message: 'It cannot be recorded now.', offer: 'fork' });
      expect(problem().textContent).toContain('Not sent. It cannot be recorded now.');
      expect(box().value).toBe('why?');
      hold();
      await press('Fork');
      expect(button('Fork').disabled).toBe(true);
      expect(test.host.askedFor('fork')).toEqual([{ conversationId: CONVERSATION }]);
      expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('Making a fork…');
      await showFork();
      await answerWith({ ok: true });
      expect(box().value).toBe('why?');
      expect(screen.queryByRole('alert', { name: 'Error' })).toBeNull();
      test.page.ui.enter(CONVERSATION);
      expect(test.page.ui.draft.value).toBe('');
    });

    it('keeps the text where it is when there is no fork', async () => {
      await refused({ ok: false, message: 'It cannot be recorded now.', offer: 'fork' });
      hold();
      await press('Fork');
      await answerWith({ ok: false, message: 'There is no room.' });
      expect(problem().textContent).toContain('Not forked. There is no room.');
      expect(box().value).toBe('why?');
    });

    it('offers nothing when the host does not', async () => {
      await refused({ ok: false, message: 'Too long.' });
      expect(within(problem()).getAllByRole('button')).toHaveLength(1);
    });
  });
});
