import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manualClock';
import type { ToolPart } from '../../../protocol/part';
import { OUTPUT_WRITTEN_MS } from '../../base/limits';
import type { Change } from '../../storage/change';
import { EventWriter } from './eventWriter';

const PLACE = { seq: 2, idx: 0 };

let clock: ManualClock;
let written: Change[];
let part: ToolPart;
let writer: EventWriter;

beforeEach(() => {
  clock = new ManualClock();
  written = [];
  part = { type: 'tool', name: 'run_command', arguments: {}, state: 'running' };
  writer = new EventWriter(
    (change) => written.push(change),
    () => part,
    clock,
  );
});

function print(text: string): void {
  const output = { text, bytes: text.length };
  writer.write({ type: 'tool_output', ...PLACE, output });
  part = { ...part, output };
}

/** The output of each write, oldest first; undefined: a write without. */
function outputs(): readonly (string | undefined)[] {
  return written.map((change) =>
    change.type === 'part_set' && change.part.type === 'tool' ? change.part.output?.text : change.type,
  );
}

describe('What a command prints', () => {
  it('is written once a second at most, whole', () => {
    for (let ms = 1; ms <= OUTPUT_WRITTEN_MS * 2; ms += 1) {
      print(`at ${ms}`);
      clock.advance(1);
    }
    expect(outputs()).toEqual([`at ${OUTPUT_WRITTEN_MS}`, `at ${OUTPUT_WRITTEN_MS * 2}`]);
  });

  it('is not written any more once the result is there', () => {
    print('Running.');
    const ended: ToolPart = { ...part, state: 'done', result: { content: 'Passed.' } };
    writer.write({ type: 'part_set', ...PLACE, part: ended });
    part = ended;
    clock.advance(OUTPUT_WRITTEN_MS * 2);
    writer.flush();
    expect(written).toEqual([{ type: 'part_set', ...PLACE, part: ended }]);
  });

  it('is handed over when the window closes, and is nobody’s when the conversation is read anew', () => {
    print('One.');
    writer.flush();
    expect(outputs()).toEqual(['One.']);
    print('Two.');
    writer.forget();
    clock.advance(OUTPUT_WRITTEN_MS * 2);
    expect(outputs()).toEqual(['One.']);
    expect(clock.pending).toBe(0);
  });
});
