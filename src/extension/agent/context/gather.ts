import { realpath } from 'node:fs/promises';
import type { Message } from '../../../protocol/message';
import type { Clock } from '../../base/clock';
import { CONTEXT_READ_MS, TOUCHED_INSTRUCTIONS } from '../../base/limits';
import { printable } from '../../tools/outputText';
import type { ContextText } from './contextText';
import { Deadline } from './deadline';
import {
  AGENTS_FILE,
  agentsPlaces,
  MEMORY_FILE,
  memoryPlaces,
  shownPath,
  skillPlaces,
  type ContextPlace,
  type ContextPlaces,
} from './places';
import { readText, type ReadText } from './readText';
import { mergedSkills, skillsIn, type FoundSkills, type Skill } from './skills';
import { touchedFolders } from './touchedFolders';

/** What the person and the folder have to say, as it is now. `complaints`: lines for the log. */
export interface GatheredContext {
  /** In the order in which they are told. */
  readonly texts: readonly ContextText[];
  readonly skills: readonly Skill[];
  readonly complaints: readonly string[];
}

/** A file to look for. */
interface Wanted {
  readonly frame: ContextText['frame'];
  readonly place: ContextPlace;
  readonly file: string;
  readonly rank: number;
}

interface Looked extends Wanted {
  readonly read: ReadText;
}

/**
 * Reads AGENTS.md (global, of the root, of the folders that the conversation touched), memory and the list of skills.
 * Never rejects: what cannot be read, or not in time, is left out with a complaint.
 */
export async function gatherContext(
  places: ContextPlaces,
  messages: readonly Message[],
  clock: Clock,
  signal: AbortSignal,
): Promise<GatheredContext> {
  const deadline = new Deadline(clock, CONTEXT_READ_MS, signal);
  try {
    const look = (wanted: readonly Wanted[]): Promise<readonly Looked[]> =>
      Promise.all(
        wanted.map(async (one) => ({ ...one, read: await deadline.of(readText(one.place, one.file, signal), LATE) })),
      );
    const [agents, touched, memory, skills] = await Promise.all([
      look(agentsPlaces(places).map((place) => agentsOf(place))),
      deadline.of(touchedPlaces(places, messages), []).then((folders) => look(folders.map((place) => agentsOf(place)))),
      look(memoryPlaces(places).map((place) => ({ frame: 'memory_md', place, file: MEMORY_FILE, rank: 2 }))),
      Promise.all(skillPlaces(places).map((place) => deadline.of(skillsIn(place, signal), lateSkills(place)))),
    ]);
    const merged = mergedSkills(skills);
    const nearby = lastTouched(touched);
    const all = [...agents, ...nearby.kept, ...memory];
    return {
      texts: textsOf(all),
      skills: merged.skills,
      complaints: signal.aborted ? [] : [...all.flatMap(complaintOf), ...nearby.complaints, ...merged.complaints],
    };
  } finally {
    deadline.dispose();
  }
}

const LATE: ReadText = { kind: 'refused', why: 'could not be read in time' };

function lateSkills(place: ContextPlace): FoundSkills {
  return { skills: [], complaints: [`${shownPath(place, '')}: could not be read in time`] };
}

function agentsOf(place: ContextPlace): Wanted {
  const depth = place.scope === 'folder' && place.folder !== '' ? place.folder.split('/').length : 0;
  return { frame: 'agents_md', place, file: AGENTS_FILE, rank: depth === 0 ? 1 : 3 + depth };
}

async function touchedPlaces({ root }: ContextPlaces, messages: readonly Message[]): Promise<readonly ContextPlace[]> {
  if (root === undefined) return [];
  const real = await realpath(root).catch(() => root);
  return touchedFolders(messages, [root, real]).map((folder) => ({ scope: 'folder', base: root, folder }));
}

/** Of the folders that have an AGENTS.md those that were touched last, outermost first. */
function lastTouched(touched: readonly Looked[]): {
  readonly kept: readonly Looked[];
  readonly complaints: readonly string[];
} {
  const present = touched.filter(({ read }) => read.kind !== 'absent');
  const kept = present.slice(0, TOUCHED_INSTRUCTIONS).toSorted((one, other) => {
    if (one.rank !== other.rank) return one.rank - other.rank;
    return one.place.folder < other.place.folder ? -1 : 1;
  });
  const left = present.length - kept.length;
  return { kept, complaints: left === 0 ? [] : [`${left} more folders that were touched have an ${AGENTS_FILE}`] };
}

/** What says something, each file once, by whichever ways it is reached. */
function textsOf(looked: readonly Looked[]): readonly ContextText[] {
  const seen = new Set<string>();
  return looked.flatMap(({ frame, place, file, rank, read }) => {
    if (read.kind !== 'text' || seen.has(read.real) || !saysSomething(read.text)) return [];
    seen.add(read.real);
    const shown = shownPath(place, file);
    return [{ frame, shown, text: read.text.trimEnd(), readable: place.scope === 'folder', rank }];
  });
}

/** Whether there is more than headings in it: such as in a file that was made and not filled yet. */
function saysSomething(text: string): boolean {
  return text.split('\n').some((line) => line.trim() !== '' && !/^#{1,6}\s/.test(line));
}

function complaintOf({ place, file, read }: Looked): readonly string[] {
  return read.kind === 'refused' ? [`${printable(shownPath(place, file))}: not told, ${read.why}`] : [];
}
