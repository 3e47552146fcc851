import type { UnknownPart } from '../../protocol/part';
import { strings } from '../strings';
import { CopyButton } from './copy';
import { FoldLine } from './line';
import { memo } from './memo';
import { useFold } from './useFold';

interface UnknownProps {
  readonly seq: number;
  readonly idx: number;
  readonly part: UnknownPart;
}

/** A part that this version does not know: said to be there, and shown as the text it is. */
export const UnknownPartRow = memo<UnknownProps>(function UnknownPartRow({ seq, idx, part }) {
  const fold = useFold(`unknown:${seq}:${idx}`);
  const name = strings.unknownPart(part.originalType);
  return (
    <div class="tools">
      <div class="tool">
        <FoldLine
          text={{
            icon: 'question',
            verb: strings.partOfType,
            object: part.originalType,
            mono: true,
            result: strings.keptNotShown,
          }}
          name={name}
          open={fold.open}
          onToggle={fold.toggle}
        />
        {fold.open && (
          <div class="body frame">
            <div class="code-bar">
              <span class="path">
                <span class="cut">JSON</span>
              </span>
              <CopyButton name={strings.copyCode} text={part.json} />
            </div>
            <pre role="group" tabIndex={0} aria-label={strings.code('JSON')}>
              <code dir="ltr">{part.json}</code>
            </pre>
          </div>
        )}
      </div>
    </div>
  );
});
