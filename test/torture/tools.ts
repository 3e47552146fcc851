import { join } from 'node:path';
import type { TurnTools } from '../../src/extension/agent/turn';
import { applyState } from '../../src/extension/tools/files/applyState';
import { describeChange } from '../../src/extension/tools/files/describeChange';
import { readState } from '../../src/extension/tools/files/diskFile';
import { versionPlace } from '../../src/extension/tools/files/versionPlace';
import { answered, refused, type CallRun, type Planned } from '../../src/extension/tools/tool';
import { OpenDocuments } from '../support/tools/openDocuments';
import { commandAction } from '../support/tools/actions';
import type { MarkedCall } from './lines';
import { sleep } from './model';
import type { Random } from './random';
import { randomText } from './words';

const PARAMETERS = {
  type: 'object',
  properties: { mark: { type: 'string' }, text: { type: 'string' }, count: { type: 'number' } },
};
const NOTES: readonly string[] = ['note', 'ponder'];
/** Files of each conversation, so that calls change what calls before them left. */
const FILES = 3;
/** Command lines that several calls have; the others have one of their own. */
const SHARED_LINES = 2;

export interface ToolOptions {
  readonly random: Random;
  readonly conversation: string;
  /** Folder of the files that calls change. */
  readonly files: string;
  /** Called as the first thing that a call with effects does. */
  readonly effect: (call: MarkedCall) => void;
}

/** Tools of which some touch nothing but memory, one runs commands that do nothing, and one changes files. */
export function tortureTools(options: ToolOptions): TurnTools {
  const { random } = options;
  const notes = new Map<string, string>();
  return {
    definitions: [...NOTES, 'run', 'write'].map((name) => ({ name, description: name, parameters: PARAMETERS })),
    isReadOnly: (name) => NOTES.includes(name),
    async plan(name, { mark, text, count }, signal) {
      await sleep(name === 'ponder' ? random.between(50, 900) : random.between(0, 30), signal);
      if (name === 'no_such_tool' || typeof mark !== 'string')
        return answered(refused('There is no such thing here.', 'unknown tool'));
      if (name === 'run') return command(mark, Number(count), options);
      if (name === 'write') return edit(mark, Number(count), String(text), options);
      const key = String(count);
      if (name === 'note') notes.set(key, String(text));
      const long = random.chance(0.03) ? random.between(10_000, 60_000) : random.between(0, 2_000);
      const content = `${notes.get(key) ?? 'nothing'}\n${randomText(random, long)}`;
      return answered({ ok: true, content, summary: '1 note' });
    },
    malformed: (name, written) => refused(`The arguments of ${name} were no object: ${written}`, 'malformed'),
  };
}

function command(mark: string, count: number, { random, conversation, effect }: ToolOptions): Planned {
  const line = count < SHARED_LINES ? `make ${count}` : `make ${mark}`;
  return {
    kind: 'ready',
    action: commandAction(line),
    run: async (run: CallRun) => {
      const { signal } = run;
      effect({ conversation, mark, command: line });
      for (let left = random.between(0, 4); left > 0 && !signal.aborted; left -= 1) {
        await sleep(random.between(0, 250), signal);
        run.output({ text: randomText(random, 50), bytes: 50 });
      }
      const ok = random.chance(0.9);
      return { ok, content: randomText(random, random.between(0, 500)), summary: 'made', exitCode: ok ? 0 : 1 };
    },
  };
}

/** What undo can take back, done as the product's own tools do it. */
async function edit(
  mark: string,
  count: number,
  text: string,
  { random, files, conversation, effect }: ToolOptions,
): Promise<Planned> {
  const place = versionPlace(files, join(files, `${conversation}-${count % FILES}.txt`));
  const state = await readState(place);
  if (!state.ok) return answered(refused(state.failure.sentence, 'not read'));
  const before = state.value;
  const after = { bytes: Buffer.from(text), mode: before?.mode ?? 0o644 };
  const change = describeChange(place.shown, before && Buffer.from(before.bytes).toString(), text);
  return {
    kind: 'ready',
    action: { kind: 'edit', place, change },
    version: { path: place.real, before, after },
    run: async ({ signal }) => {
      effect({ conversation, mark });
      await sleep(random.chance(0.2) ? random.between(0, 300) : 0, signal);
      if (signal.aborted) return refused('Stopped.', 'stopped');
      const applied = await applyState(new OpenDocuments(), place, before, after);
      if (!applied.ok) return refused(applied.failure.sentence, 'not written');
      return { ok: true, content: 'Written.', summary: 'written', change };
    },
  };
}
