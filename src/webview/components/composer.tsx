import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { WindowFacts } from '../../protocol/status';
import { MESSAGE_CHARS } from '../limits';
import { strings } from '../strings';
import { usePage } from './context';
import { IconButton } from './icon';
import { ModelButton, ModelPopup } from './modelPicker';

/** Where a message is written: Enter sends or queues, Shift+Enter begins a line, Esc stops the run and never takes text away. */
export function Composer(): VNode {
  const page = usePage();
  const textarea = useRef<HTMLTextAreaElement>(null);
  const draft = page.ui.draft.value;
  const facts = page.facts.value;
  const running = page.running.value;
  const stopping = page.live.value?.status.run.kind === 'stopping';
  const hasText = draft.trim() !== '';
  const queues = page.queues.value;
  const tooLong = draft.length > MESSAGE_CHARS;
  const canSend = hasText && !tooLong && canAnswer(facts, page.model.value);

  const focusWish = page.composerFocus.value;
  useEffect(() => {
    if (!focusWish) return;
    page.composerFocused();
    const area = textarea.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, [focusWish, page]);

  const send = (): void => {
    if (canSend) void page.send();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys that an input method uses itself; some say so by the code only.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape') {
      if (page.modelPicker.value) page.showModelPicker(false);
      else if (running && !stopping) void page.stop();
    } else if (event.key === 'ArrowUp' && draft === '') {
      const text = page.lastOwnText();
      if (text === undefined) return;
      event.preventDefault();
      page.ui.setDraft(text);
      const area = textarea.current;
      requestAnimationFrame(() => area?.setSelectionRange(text.length, text.length));
    }
  };
  const onFormKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== '.' || !event.altKey || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    page.showModelPicker(!page.modelPicker.value);
  };
  return (
    <>
      {page.modelPicker.value && <ModelPopup onClose={() => textarea.current?.focus()} />}
      <form
        class="composer"
        aria-label={strings.composer}
        onKeyDown={onFormKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          ref={textarea}
          aria-label={strings.message}
          aria-invalid={tooLong}
          rows={2}
          placeholder={placeholder(facts, queues)}
          value={draft}
          onInput={(event) => page.ui.setDraft(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {tooLong && (
          <div class="limit" role="alert">
            {strings.tooLong(draft.length, MESSAGE_CHARS)}
          </div>
        )}
        <div class="tools-bar">
          <ModelButton />
          <span class="gap" />
          {running && (
            <IconButton
              icon="debug-stop"
              name={strings.stop}
              hint={strings.stopHint}
              kind="stop"
              disabled={stopping}
              onPress={() => void page.stop()}
            />
          )}
          {(hasText || !running) && (
            <IconButton
              icon="send"
              name={queues && hasText ? strings.queueMessage : strings.send}
              hint={queues && hasText ? strings.queueHint : strings.sendHint}
              kind="send"
              submit
              disabled={!canSend}
            />
          )}
        </div>
      </form>
    </>
  );
}

/** Whether there is someone to answer. While that is not known yet a message may go: the host says what came of it. */
function canAnswer(facts: WindowFacts | undefined, model: string | undefined): boolean {
  if (facts === undefined || model === undefined) return false;
  switch (facts.server.kind) {
    case 'unknown':
      return true;
    case 'down':
      return false;
    case 'up':
      return facts.server.models.length > 0;
  }
}

function placeholder(facts: WindowFacts | undefined, queues: boolean): string {
  if (facts?.server.kind === 'down') return strings.placeholder.noServer;
  if (facts?.server.kind === 'up' && facts.server.models.length === 0) return strings.placeholder.noModel;
  if (queues) return strings.placeholder.queue;
  return facts?.folder === undefined ? strings.placeholder.noFolder : strings.placeholder.folder;
}
