import type { VNode } from 'preact';
import { Fragment } from 'preact';
import type { DiffHunk, FileChange } from '../../protocol/fileChange';
import { approvalWords, fileName } from '../approvalWords';
import { plain } from '../plain';
import { linesOf } from './diffLines';

const SIGNS = { same: ' ', add: '+', del: '−' } as const;

/** Changed places of a file with the numbers of their lines. */
export function Diff({ path, hunks }: { path: string; hunks: readonly DiffHunk[] }): VNode {
  return (
    <pre class="diff" role="group" tabIndex={0} aria-label={approvalWords.changesTo(fileName(path))}>
      <code dir="ltr">
        {hunks.map((hunk, index) => (
          <Fragment key={`${hunk.oldStart}:${hunk.newStart}`}>
            {index > 0 && (
              <span class="gap" aria-hidden="true">
                {'⋯'}
              </span>
            )}
            {linesOf(hunk).map((line, at) => (
              <span
                key={at}
                class={line.kind === 'same' ? 'ln' : `ln ${line.kind}`}
                data-n={line.number ?? ''}
                data-s={SIGNS[line.kind]}
              >
                {plain(line.text)}
                {'\n'}
              </span>
            ))}
          </Fragment>
        ))}
      </code>
    </pre>
  );
}

/** `+4 −3`, in the colours of a diff. */
export function Counts({ change }: { change: Pick<FileChange, 'added' | 'removed'> }): VNode {
  return (
    <>
      <span class="plus">+{change.added}</span>
      {change.removed > 0 && <span class="minus"> −{change.removed}</span>}
    </>
  );
}
