import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { isOutsidePath } from '../../protocol/approval';
import type { FileChange } from '../../protocol/fileChange';
import { mayHaveChanged, type ToolPart } from '../../protocol/part';
import { approvalWords } from '../approvalWords';
import { formatBytes } from '../format';
import { BAR_COMMAND_CHARS } from '../limits';
import { plain } from '../plain';
import { strings } from '../strings';
import { Arguments } from './arguments';
import { CommandText } from './approvalContent';
import { usePage } from './context';
import { CopyButton } from './copy';
import { Diff } from './diff';
import { IconButton } from './icon';
import { LiveOutput, Output } from './output';
import type { ToolItem } from './segments';
import { TodoList } from './todoList';
import { changeOf, commandOf } from './toolSubject';
import type { ToolWords } from './toolWords';

/** What a row opens to: what was asked, what came back, and what can be done with it. */
export function ToolBody({ seq, idx, part, words }: ToolItem & { words: ToolWords }): VNode {
  const page = usePage();
  const omitted = part.result?.omitted ?? 0;
  useEffect(() => {
    if (omitted > 0) void page.fetchPart(seq, idx);
  }, [page, seq, idx, omitted > 0]);
  const change = changeOf(part);
  const command = part.name === 'run_command' ? commandOf(part) : undefined;
  const long = command !== undefined && (command.length > BAR_COMMAND_CHARS || command.trim().includes('\n'));
  if (part.name === 'todo' && part.state === 'done') return <TodoList args={part.arguments} />;
  return (
    <div class="body frame">
      {change !== undefined ? (
        <Bar title={change.path}>
          <ChangeButtons seq={seq} idx={idx} part={part} change={change} />
        </Bar>
      ) : (
        <Bar title={command === undefined ? words.full : `$ ${plain(command)}`} wraps={command !== undefined && !long}>
          <ResultButtons seq={seq} idx={idx} part={part} />
        </Bar>
      )}
      {command !== undefined && long && <CommandText command={command} />}
      <Denial part={part} />
      {change !== undefined && <WholeChange change={change} />}
      <Arguments more={words.more} of={words.full} />
      {part.result === undefined && part.output !== undefined && (
        <LiveOutput output={part.output} of={words.full} running={part.state === 'running'} />
      )}
      <Answered seq={seq} idx={idx} part={part} words={words} change={change} />
    </div>
  );
}

/** `wraps`: it takes as many lines as it needs, so that all of it can be read. */
function Bar(props: { title: string; wraps?: boolean; children: ComponentChildren }): VNode {
  const { title, wraps, children } = props;
  return (
    <div class={wraps === true ? 'code-bar wraps' : 'code-bar'}>
      <span class="path">
        <span class="cut mono" title={title}>
          {title}
        </span>
      </span>
      {children}
    </div>
  );
}

function ChangeButtons({ seq, idx, part, change }: ToolItem & { change: FileChange }): VNode {
  const page = usePage();
  const words = approvalWords;
  const undone = change.undone === true;
  // Of what lies outside the folder nothing is kept to go back to; what was not done cannot be taken back.
  const canUndo = mayHaveChanged(part) && !isOutsidePath(change.path);
  const free = page.live.value?.status.owner !== 'elsewhere';
  return (
    <>
      {!isOutsidePath(change.path) && (
        <IconButton icon="diff" name={words.openDiff} onPress={() => void page.files.openDiff({ seq, idx })} />
      )}
      <IconButton icon="go-to-file" name={words.openFile} onPress={() => void page.files.openFile({ seq, idx })} />
      {canUndo && free && (
        <IconButton
          icon={undone ? 'redo' : 'discard'}
          name={undone ? words.undo.redoEdit : words.undo.edit}
          {...(page.running.value ? { hint: words.undo.running } : {})}
          waits={page.running.value}
          onPress={() => void page.files.undo(undone ? 'redo' : 'undo', { seq, idx })}
        />
      )}
    </>
  );
}

function ResultButtons({ seq, idx, part }: ToolItem): VNode {
  const page = usePage();
  // What the model was told of a denial is no output.
  const result = part.state === 'denied' ? undefined : part.result;
  const printed = result?.content ?? (part.state === 'running' ? undefined : part.output?.text);
  return (
    <>
      {part.name === 'read_file' && (
        <IconButton
          icon="go-to-file"
          name={approvalWords.openFile}
          onPress={() => void page.files.openFile({ seq, idx })}
        />
      )}
      {printed !== undefined && <CopyButton name={strings.copyOutput} text={printed} />}
      {result !== undefined && part.name !== 'read_file' && (
        <IconButton
          icon="go-to-file"
          name={approvalWords.openOutput}
          onPress={() => void page.files.openOutput({ seq, idx })}
        />
      )}
    </>
  );
}

/** What the person said when they did not give leave. */
function Denial({ part }: { part: ToolPart }): VNode | null {
  const said = part.answer?.kind === 'deny' ? part.answer.words : undefined;
  if (part.state !== 'denied' || said === undefined) return null;
  return (
    <div class="said">
      <span class="muted">{approvalWords.youSaid}</span> {said}
    </div>
  );
}

function WholeChange({ change }: { change: FileChange }): VNode {
  return (
    <>
      {change.hunks.length > 0 && <Diff path={change.path} hunks={change.hunks} />}
      {change.hunks.length === 0 && <div class="more alone-in">{approvalWords.noLines}</div>}
      {change.hunksLeftOut > 0 && <div class="more">{approvalWords.moreChanges(change.hunksLeftOut)}</div>}
    </>
  );
}

/** What came back. A change that was made is its own answer. */
function Answered(props: ToolItem & { words: ToolWords; change: FileChange | undefined }): VNode | null {
  const { seq, idx, part, words, change } = props;
  const { result } = part;
  if (result === undefined || part.state === 'denied') return null;
  if (change !== undefined && part.state === 'done') return null;
  if (result.image !== undefined) {
    const { mediaType, bytes } = result.image;
    return <div class="more alone-in">{strings.imageRead(mediaType, formatBytes(bytes))}</div>;
  }
  const ends = part.name === 'run_command' || part.name === 'read_command';
  return <Output result={result} of={words.full} fold={`output:${seq}:${idx}`} keepsEnd={ends} />;
}
