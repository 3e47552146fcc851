import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { WindowFacts } from '../../protocol/status';
import { MESSAGE_CHARS } from '../limits';
import { modelWords } from '../modelWords';
import { modelInfo } from '../store/modelName';
import { strings } from '../strings';
import { usePage } from './context';
import { IconButton } from './icon';
import { AddImage, DraftImages } from './images';
import { useLater } from './later';
import { Meter } from './meter';
import { ModeButton } from './modeButton';
import { isModeKey } from './modeKey';
import { ModelButton } from './modelButton';
import { useCommands } from './useCommands';
import { useDrop } from './useDrop';

const COMMANDS = 'commands';

/** Where a message is written: Enter sends or queues, Shift+Enter begins a line, Esc stops the run and never takes text away. */
export function Composer(): VNode {
  const page = usePage();
  const later = useLater();
  const textarea = useRef<HTMLTextAreaElement>(null);
  const meter = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const draft = page.ui.draft.value;
  const commands = useCommands(draft);
  const popup = page.popup.value;
  const facts = page.facts.value;
  const model = page.model.value;
  const running = page.running.value;
  const stopping = page.live.value?.status.run.kind === 'stopping';
  const queues = page.queues.value;
  const images = page.images.here.value;
  const blind = model !== undefined && modelInfo(facts, model)?.vision === false ? model : undefined;
  const hasText = draft.trim() !== '';
  const trouble = troubleOf(draft, images.length > 0 ? blind : undefined);
  const canSend = hasText && trouble === undefined && canAnswer(facts, model);

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
  const add = (files: readonly File[]): void => {
    void page.images.add(files, blind === undefined ? undefined : modelWords.images.blind(blind));
    textarea.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys that an input method uses itself; some say so by the code only.
    if (event.isComposing || event.keyCode === 229) return;
    if (commands.onKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape') {
      if (popup !== undefined) page.showPopup(undefined);
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
    const isModelKey = event.key === '.' && event.altKey && (event.ctrlKey || event.metaKey);
    const wanted = isModelKey ? 'model' : isModeKey(event) ? 'mode' : undefined;
    if (wanted === undefined || (wanted === 'mode' && page.permissions.changing.value !== undefined)) return;
    event.preventDefault();
    page.showPopup(popup === wanted ? undefined : wanted);
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData;
    // Programs that copy text often add a picture of it.
    if (pasted === null || pasted.types.includes('text/plain')) return;
    const files = [...pasted.files].filter((file) => file.type.startsWith('image/'));
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  };
  const dropping = useDrop(form, add);
  const bypass = page.live.value?.status.mode === 'bypass';
  const { shown } = commands;
  return (
    <>
      {later !== undefined && popup === 'model' && <later.ModelPopup onClose={() => textarea.current?.focus()} />}
      {later !== undefined && popup === 'mode' && <later.ModePopup onClose={() => textarea.current?.focus()} />}
      {later !== undefined && popup === 'context' && <later.ContextPopup onClose={() => meter.current?.focus()} />}
      {later !== undefined && shown !== undefined && (
        <later.CommandPopup
          id={COMMANDS}
          commands={shown}
          active={commands.active}
          onActive={commands.setActive}
          onTake={commands.take}
        />
      )}
      <form
        ref={form}
        class={`composer${bypass ? ' bypass' : ''}${dropping ? ' is-drop' : ''}`}
        aria-label={strings.composer}
        onKeyDown={onFormKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <DraftImages
          images={images}
          onRemove={(image) => {
            page.images.remove(image);
            textarea.current?.focus();
          }}
        />
        <textarea
          ref={textarea}
          aria-label={strings.message}
          aria-invalid={draft.length > MESSAGE_CHARS}
          aria-controls={shown === undefined ? undefined : COMMANDS}
          aria-activedescendant={shown?.[commands.active] === undefined ? undefined : `${COMMANDS}-${commands.active}`}
          rows={2}
          placeholder={images.length > 0 ? strings.placeholder.image : placeholder(facts, queues)}
          value={draft}
          onInput={(event) => page.ui.setDraft(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <Limit words={trouble ?? page.images.trouble.value} />
        <div class="tools-bar">
          <AddImage onAdd={add} />
          <ModeButton />
          <ModelButton />
          <span class="gap" />
          <Meter button={meter} />
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

function Limit({ words }: { words: string | undefined }): VNode | null {
  if (words === undefined) return null;
  return (
    <div class="limit" role="alert">
      {words}
    </div>
  );
}

/** Why the message cannot be sent as it is. `blind`: the model, when it cannot see the images that are with it. */
function troubleOf(draft: string, blind: string | undefined): string | undefined {
  if (draft.length > MESSAGE_CHARS) return strings.tooLong(draft.length, MESSAGE_CHARS);
  return blind === undefined ? undefined : modelWords.images.blindWaits(blind);
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
