import type { VNode } from 'preact';
import type { ApprovalSubject } from '../../protocol/approval';
import type { FileChange } from '../../protocol/fileChange';
import { approvalWords } from '../approvalWords';
import { CARD_DIFF_LINES, COMMAND_WRAP_CHARS } from '../limits';
import { plain } from '../plain';
import { Arguments } from './arguments';
import { usePage } from './context';
import { Diff } from './diff';
import { excerptOf } from './diffLines';
import { useFold } from './useFold';

interface ContentProps {
  readonly seq: number;
  readonly idx: number;
  readonly subject: ApprovalSubject;
}

/** All that is asked for: never less of it than what leave is given to, but for a long change, which opens whole. */
export function ApprovalContent({ seq, idx, subject }: ContentProps): VNode | null {
  switch (subject.kind) {
    case 'edit':
      return <ChangeExcerpt seq={seq} idx={idx} change={subject.change} outside={subject.outside} />;
    case 'read':
      return null;
    case 'command':
      return <CommandText command={subject.command} />;
    case 'input':
      return <WholeText name={approvalWords.input} text={subject.text} />;
    case 'memory':
      return <WholeText name={approvalWords.memory} text={subject.text} />;
    case 'other':
      return <Arguments more={subject.arguments} of={subject.tool} />;
  }
}

/** A command, which wraps between its arguments. */
export function CommandText({ command }: { command: string }): VNode {
  const text = plain(command);
  const words = text.length > COMMAND_WRAP_CHARS ? [text] : text.split(/(\s+)/);
  return (
    <pre class="cmd" role="group" tabIndex={0} aria-label={approvalWords.command}>
      <code dir="ltr">
        <span class="arg">$</span>{' '}
        {words.map((word, index) => (index % 2 === 1 || word === '' ? word : <span class="arg">{word}</span>))}
      </code>
    </pre>
  );
}

function WholeText({ name, text }: { name: string; text: string }): VNode {
  return (
    <pre class="whole" role="group" tabIndex={0} aria-label={name}>
      <code dir="auto">{plain(text)}</code>
    </pre>
  );
}

function ChangeExcerpt(props: { seq: number; idx: number; change: FileChange; outside: boolean }): VNode {
  const { seq, idx, change, outside } = props;
  const page = usePage();
  const whole = useFold(`change:${seq}:${idx}`);
  const excerpt = excerptOf(change, CARD_DIFF_LINES);
  const lessChanges = excerpt.changes < excerpt.allChanges;
  const cut = lessChanges || excerpt.lines < excerpt.allLines;
  // The editor's own view needs a version of the file, and none is kept of what lies outside.
  const unfolds = outside && cut;
  return (
    <>
      {excerpt.lines > 0 && <Diff path={change.path} hunks={whole.open ? change.hunks : excerpt.hunks} />}
      {(cut || !outside) && (
        <div class="more">
          {cut && !whole.open && (
            <span>
              {lessChanges
                ? approvalWords.someChanges(excerpt.changes, excerpt.allChanges)
                : approvalWords.someLines(excerpt.lines, excerpt.allLines)}
            </span>
          )}
          {whole.open && change.hunksLeftOut > 0 && <span>{approvalWords.moreChanges(change.hunksLeftOut)}</span>}
          {excerpt.lines === 0 && <span>{approvalWords.noLines}</span>}
          <span class="end" />
          {unfolds ? (
            <button class="btn ghost" type="button" aria-expanded={whole.open} onClick={whole.toggle}>
              {whole.open ? approvalWords.showLessChanges : approvalWords.showAllChanges}
            </button>
          ) : (
            <button class="btn ghost" type="button" onClick={() => void page.files.openDiff({ seq, idx })}>
              {approvalWords.openFullDiff}
            </button>
          )}
        </div>
      )}
    </>
  );
}
