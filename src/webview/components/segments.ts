import { messageWord, type Message } from '../../protocol/message';
import type { TextPart, ThinkingPart, ToolPart, UnknownPart } from '../../protocol/part';

interface Placed<P> {
  readonly seq: number;
  readonly idx: number;
  readonly part: P;
}

export type ToolItem = Placed<ToolPart>;

/**
 * A piece of an answer as it is drawn, at the place of its first part. `live`: more of it may come; `cut`: more of it was
 * to come and never will.
 */
export type Segment =
  | (Placed<TextPart> & { readonly kind: 'text'; readonly live: boolean; readonly cut: boolean })
  | (Placed<ThinkingPart> & { readonly kind: 'thinking'; readonly live: boolean })
  | (Placed<UnknownPart> & { readonly kind: 'unknown' })
  | { readonly kind: 'tools'; readonly seq: number; readonly idx: number; readonly items: readonly ToolItem[] }
  | { readonly kind: 'fault'; readonly seq: number; readonly idx: number }
  | { readonly kind: 'ending'; readonly seq: number; readonly idx: number; readonly message: Message };

/**
 * The pieces of an answer. Calls that follow one another are one piece, also over the steps of the answer. `goesOn`: more
 * steps will follow, so that a fault of the last one is not how the answer ends.
 */
export function segmentsOf(messages: readonly Message[], goesOn: boolean): readonly Segment[] {
  const all: Segment[] = [];
  let tools: ToolItem[] = [];
  const endTools = (): void => {
    const first = tools[0];
    if (first !== undefined) all.push({ kind: 'tools', seq: first.seq, idx: first.idx, items: tools });
    tools = [];
  };
  for (const [step, message] of messages.entries()) {
    const { seq } = message;
    const isEnd = step === messages.length - 1 && !goesOn;
    message.parts.forEach((part, idx) => {
      const last = idx === message.parts.length - 1;
      const live = last && message.status === 'streaming';
      const cut = last && !live && messageWord(message) !== 'done';
      if (part.type === 'tool') {
        tools.push({ seq, idx, part });
        return;
      }
      // A step that only calls often begins with an empty text: it must not break up a run of rows.
      if (part.type === 'text' && part.text.trim() === '' && part.omitted === undefined) return;
      endTools();
      if (part.type === 'text') all.push({ kind: 'text', seq, idx, part, live, cut });
      else if (part.type === 'thinking') all.push({ kind: 'thinking', seq, idx, part, live });
      else if (part.type === 'unknown') all.push({ kind: 'unknown', seq, idx, part });
    });
    if (message.status === 'streaming' || (message.status === 'done' && message.reason === undefined)) continue;
    endTools();
    const idx = message.parts.length;
    if (message.reason === 'model_fault' && !isEnd) all.push({ kind: 'fault', seq, idx });
    else all.push({ kind: 'ending', seq, idx, message });
  }
  endTools();
  return all;
}
