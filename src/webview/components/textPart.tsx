import { useEffect } from 'preact/hooks';
import type { TextPart } from '../../protocol/part';
import { Markdown } from '../markdown/markdown';
import { strings } from '../strings';
import { usePage } from './context';
import { memo } from './memo';

interface TextProps {
  readonly seq: number;
  readonly idx: number;
  readonly part: TextPart;
  /** More of it may come. */
  readonly live: boolean;
  /** More of it was to come and never will. */
  readonly cut: boolean;
}

/** Words of an answer. What was left out on the wire is fetched when asked for, or at once while it grows. */
export const AnswerText = memo<TextProps>(function AnswerText({ seq, idx, part, live, cut }) {
  const page = usePage();
  const omitted = part.omitted ?? 0;
  const fetchNow = live && omitted > 0;
  useEffect(() => {
    if (fetchNow) void page.fetchPart(seq, idx);
  }, [page, seq, idx, fetchNow]);
  return (
    <>
      <Markdown part={part} growing={live} cut={cut} fold={`${seq}:${idx}`} />
      {omitted > 0 && !live && (
        <div class="more alone">
          <span>{strings.charsLeftOut(omitted)}</span>
          <span class="end" />
          <button class="btn ghost" type="button" onClick={() => void page.fetchPart(seq, idx)}>
            {strings.showAll}
          </button>
        </div>
      )}
    </>
  );
});
