import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ToolPart } from '../../protocol/part';
import { formatDuration } from '../format';
import { EXPLORED_ROWS } from '../limits';
import { strings } from '../strings';
import { usePage } from './context';
import { FoldLine } from './line';
import { memo } from './memo';
import type { ToolItem } from './segments';
import { ToolCall } from './toolRow';
import { readKind } from './toolSubject';
import { useFold } from './useFold';

interface RowsProps {
  readonly items: readonly ToolItem[];
  /** The call that is open at first. */
  readonly unfolded: ToolPart | undefined;
}

/** Calls that follow one another. `growing`: the next one may still come, so nothing is put together yet. */
export const ToolRows = memo<RowsProps & { growing: boolean }>(function ToolRows({ items, growing, unfolded }) {
  return (
    <div class="tools">
      {runs(items).map((run, index, all) => {
        const first = run.items[0];
        if (first === undefined) return null;
        const key = `${first.seq}:${first.idx}`;
        const open = growing && index === all.length - 1;
        if (run.folds && !open) return <Explored key={key} name={key} items={run.items} />;
        return <Rows key={key} items={run.items} unfolded={unfolded} />;
      })}
    </div>
  );
});

function Rows({ items, unfolded }: RowsProps): VNode {
  return (
    <>
      {items.map((item) => (
        <ToolCall key={`${item.seq}:${item.idx}`} {...item} unfolded={item.part === unfolded} />
      ))}
    </>
  );
}

/** Many finished rows that only read, as one. Not while one of them is open or has the focus: nothing vanishes. */
function Explored({ items, name }: { items: readonly ToolItem[]; name: string }): VNode {
  const page = usePage();
  const fold = useFold(`explored:${name}`);
  const [focused, setFocused] = useState(false);
  const opened = items.some((item) => page.ui.open.value.has(`tool:${item.seq}:${item.idx}`));
  const words = exploredWords(items);
  const rows = (
    <div onFocusIn={() => setFocused(true)} onFocusOut={() => setFocused(false)}>
      <Rows items={items} unfolded={undefined} />
    </div>
  );
  if ((opened || focused) && !fold.open) return rows;
  return (
    <div class="tool">
      <FoldLine
        text={{ icon: 'list-tree', verb: strings.explored, object: words, result: duration(items) }}
        name={strings.exploredName(words)}
        open={fold.open}
        onToggle={fold.toggle}
      />
      {fold.open && <div class="body inner">{rows}</div>}
    </div>
  );
}

function exploredWords(items: readonly ToolItem[]): string {
  const files = new Set<unknown>();
  let folders = 0;
  let searches = 0;
  let problems = 0;
  for (const { part } of items) {
    const kind = readKind(part);
    if (kind === 'file') files.add(part.arguments['path']);
    else if (kind === 'folder') folders += 1;
    else if (kind === 'search') searches += 1;
    else problems += 1;
  }
  return strings.exploredCounts({ files: files.size, folders, searches, problems });
}

function duration(items: readonly ToolItem[]): string | undefined {
  const from = items[0]?.part.startedAt;
  const to = items.at(-1)?.part.endedAt;
  return from === undefined || to === undefined ? undefined : formatDuration(to - from);
}

interface Run {
  readonly items: ToolItem[];
  readonly folds: boolean;
}

/** Rows cut into those that become one and the others. */
function runs(items: readonly ToolItem[]): readonly Run[] {
  const all: Run[] = [];
  for (const item of items) {
    const folds = readKind(item.part) !== undefined;
    const last = all.at(-1);
    if (last?.folds === folds) last.items.push(item);
    else all.push({ items: [item], folds });
  }
  return all.map((run) => (run.items.length >= EXPLORED_ROWS ? run : { ...run, folds: false }));
}
