import type { VNode } from 'preact';
import type { Message, MessageNote } from '../../protocol/message';
import { noteWords } from '../endingWords';
import { strings } from '../strings';
import { Icon } from './icon';

/** Under an answer: what went otherwise than it should, each thing once, however many steps it happened in. */
export function MessageNotes({ messages }: { messages: readonly Message[] }): VNode | null {
  const notes = new Map<MessageNote, string>();
  for (const message of messages) {
    for (const note of message.notes ?? []) notes.set(note, noteWords(note, message.model ?? strings.unknownModel));
  }
  if (notes.size === 0) return null;
  return (
    <div class="remarks">
      {[...notes].map(([note, words]) => (
        <div class="remark" key={note}>
          <Icon name={note === 'prompt_cut' ? 'warning' : 'info'} tone={note === 'prompt_cut' ? 'warn' : undefined} />
          <span>{words}</span>
        </div>
      ))}
    </div>
  );
}
