import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Message } from '../../protocol/message';
import type { AttachmentPart } from '../../protocol/part';
import { OWN_CHARS, OWN_LINES, PENDING_WORD_MS } from '../limits';
import type { PendingSend } from '../store/sends';
import { strings } from '../strings';
import { clip } from './clipped';
import { CopyButton } from './copy';
import { Icon } from './icon';
import { SentImages } from './images';
import { UnknownPartRow } from './unknownPart';
import { useFold } from './useFold';
import { usePage } from './context';

/** What the person wrote. `unsaved`: it is not in the file yet. */
export function UserMessage({ message, unsaved }: { message: Message; unsaved: boolean }): VNode {
  const texts = message.parts.flatMap((part, idx) => (part.type === 'text' ? [{ part, idx }] : []));
  const omitted = texts.find(({ part }) => (part.omitted ?? 0) > 0);
  return (
    <>
      <OwnCard
        text={texts.map(({ part }) => part.text).join('\n\n')}
        fold={`own:${message.seq}`}
        images={message.parts.filter((part) => part.type === 'attachment')}
        unsaved={unsaved}
        more={omitted !== undefined && <Rest seq={message.seq} idx={omitted.idx} omitted={omitted.part.omitted ?? 0} />}
      />
      {message.parts.map((part, idx) =>
        part.type === 'unknown' ? <UnknownPartRow key={idx} seq={message.seq} idx={idx} part={part} /> : null,
      )}
    </>
  );
}

/** What the person wrote a moment ago, and the host has not confirmed. */
export function PendingMessage({ send, unsaved }: { send: PendingSend; unsaved: boolean }): VNode {
  return <OwnCard text={send.text} images={send.images} fold={`own:${send.clientId}`} unsaved={unsaved} more={false} />;
}

/** Whether an own message is waiting for so long that it is worth a word. */
export function usePatience(sentAt: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), Math.max(0, sentAt + PENDING_WORD_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [sentAt]);
  return late;
}

function OwnCard(props: {
  text: string;
  images: readonly Pick<AttachmentPart, 'name' | 'bytes'>[];
  fold: string;
  unsaved: boolean;
  more: VNode | false;
}): VNode {
  const fold = useFold(props.fold);
  const clipped = clip(props.text, OWN_LINES, OWN_CHARS);
  return (
    <div class="card">
      <div class="text" dir="auto">
        {fold.open ? props.text : clipped.text}
        {clipped.cut && !fold.open && '…'}
      </div>
      {clipped.cut && (
        <button class="btn ghost" type="button" aria-expanded={fold.open} onClick={fold.toggle}>
          {fold.open ? strings.showLess : strings.showAllLines(clipped.lines)}
        </button>
      )}
      {props.more}
      <SentImages images={props.images} />
      {props.unsaved && (
        <div class="state">
          <Icon name="warning" tone="warn" />
          <span>{strings.notSavedYet}</span>
        </div>
      )}
      <div class="over">
        <CopyButton name={strings.copyMessage} text={props.text} />
      </div>
    </div>
  );
}

function Rest({ seq, idx, omitted }: { seq: number; idx: number; omitted: number }): VNode {
  const page = usePage();
  return (
    <div class="more alone">
      <span>{strings.charsLeftOut(omitted)}</span>
      <span class="end" />
      <button class="btn ghost" type="button" onClick={() => void page.fetchPart(seq, idx)}>
        {strings.showAll}
      </button>
    </div>
  );
}
