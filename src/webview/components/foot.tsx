import { computed } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { isOutsidePath } from '../../protocol/approval';
import type { Message } from '../../protocol/message';
import { mayHaveChanged, type TextPart } from '../../protocol/part';
import { approvalWords } from '../approvalWords';
import { formatDuration, formatTime } from '../format';
import type { PageStore } from '../store/pageStore';
import { wholeAnswer } from '../store/rows';
import { strings } from '../strings';
import { usePage } from './context';
import { useEnding } from './useEnding';
import { CopyButton } from './copy';
import { Icon, IconButton } from './icon';

/** Under an answer: facts at the left, what can be done with it at the right. */
export function Foot({ messages: own, last }: { messages: readonly Message[]; last: boolean }): VNode {
  const page = usePage();
  // Not followed: what stands above this row changes no more.
  const messages = wholeAnswer(page.live.peek()?.transcript.messages ?? [], own);
  const end = messages.at(-1);
  const stopped = end?.status === 'aborted' && (end.reason === 'stop' || end.reason === undefined);
  const facts = factsOf(messages);
  const retryAbove = useEnding(end)?.offers.includes('retry') === true;
  const changes = useChanges(messages);
  return (
    <footer class={last ? 'foot' : 'foot quiet'}>
      <span class="facts">
        {stopped && end !== undefined ? (
          <>
            <Icon name="debug-stop" /> {strings.stoppedByYou(end.endedAt ?? end.createdAt)}
          </>
        ) : (
          facts.shown
        )}
        {facts.extra !== '' && <span class="extra"> · {facts.extra}</span>}
      </span>
      {changes !== undefined && end !== undefined && (
        <IconButton
          icon={changes === 'undo' ? 'discard' : 'redo'}
          name={changes === 'undo' ? approvalWords.undo.turn : approvalWords.undo.redoTurn}
          {...(page.running.value ? { hint: approvalWords.undo.running } : {})}
          waits={page.running.value}
          onPress={() => void page.files.undo(changes, { seq: end.seq })}
        />
      )}
      {texts(messages).length > 0 && <CopyButton name={strings.copyAnswer} text={() => wholeText(page, messages)} />}
      {last && !retryAbove && <IconButton icon="refresh" name={strings.retry} onPress={() => void page.retry()} />}
    </footer>
  );
}

/** What can be done about the file changes of an answer; followed, for it may be done to what stands above this row. */
function useChanges(messages: readonly Message[]): 'undo' | 'redo' | undefined {
  const page = usePage();
  const seqs = new Set(messages.map(({ seq }) => seq));
  const key = [...seqs].join();
  const changes = useMemo(
    () =>
      computed(() => {
        const live = page.live.value;
        if (live === undefined || live.status.owner === 'elsewhere') return undefined;
        return changesOf(live.transcript.messages.filter(({ seq }) => seqs.has(seq)));
      }),
    [page, key],
  );
  return changes.value;
}

/** `undo` while something of it still stands. */
function changesOf(messages: readonly Message[]): 'undo' | 'redo' | undefined {
  const changes = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool' && mayHaveChanged(part) && part.change) || []),
  );
  const within = changes.filter(({ path }) => !isOutsidePath(path));
  if (within.length === 0) return undefined;
  return within.every(({ undone }) => undone === true) ? 'redo' : 'undo';
}

/** Model and time; and, where there is room, how long it took and how fast it came. */
function factsOf(messages: readonly Message[]): { readonly shown: string; readonly extra: string } {
  const first = messages[0];
  const end = messages.at(-1);
  if (first === undefined || end === undefined) return { shown: '', extra: '' };
  const endedAt = end.endedAt ?? end.createdAt;
  const shown = [end.model ?? '', formatTime(endedAt)].filter((fact) => fact !== '');
  const extra = endedAt > first.createdAt ? [formatDuration(endedAt - first.createdAt)] : [];
  let tokens = 0;
  let ms = 0;
  for (const { usage } of messages) {
    if (usage?.answerTokens === undefined || usage.answerMs === undefined) continue;
    tokens += usage.answerTokens;
    ms += usage.answerMs;
  }
  if (tokens > 0 && ms > 0) extra.push(strings.speed(Math.round((tokens * 1_000) / ms)));
  return { shown: shown.join(' · '), extra: extra.join(' · ') };
}

interface TextPlace {
  readonly seq: number;
  readonly idx: number;
  readonly part: TextPart;
}

function texts(messages: readonly Message[]): readonly TextPlace[] {
  return messages.flatMap(({ seq, parts }) =>
    parts.flatMap((part, idx) => (part.type === 'text' && part.text !== '' ? [{ seq, idx, part }] : [])),
  );
}

/** The words of an answer as the model wrote them, with what was left out on the wire. */
async function wholeText(page: PageStore, messages: readonly Message[]): Promise<string> {
  const all = await Promise.all(texts(messages).map(async (place) => page.wholeText(place.seq, place.idx)));
  return all.join('\n\n');
}
