import type { JsonObject, ToolPart, ToolState } from '../../protocol/part';
import type { Tone } from '../tone';
import type { LineText } from './line';

/** What a call is about, in the words of its row. */
interface Subject {
  readonly icon: string;
  /** `Reading`, `Read`, `read`. */
  readonly doing: string;
  readonly did: string;
  readonly todo: string;
  readonly object: string;
  readonly place?: string;
  readonly mono?: boolean;
  /** Ahead of the result in a sentence, as in `Searched for x`. */
  readonly link?: string;
  /** Arguments that are in the row already. */
  readonly shown: readonly string[];
  /** The whole of what the row may cut. */
  readonly full: string;
}

/** Kinds of finished read-only calls, as they are counted in a fold. Undefined: not to be folded. */
export type ReadKind = 'file' | 'folder' | 'search';

/** Which kind of reading a finished call was. */
export function readKind(part: ToolPart): ReadKind | undefined {
  if (part.state !== 'done') return undefined;
  switch (part.name) {
    case 'read_file':
      return 'file';
    case 'list_files':
      return 'folder';
    case 'search_text':
      return 'search';
    default:
      return undefined;
  }
}

/** A row's words, and its sentence for those who do not see it. */
export interface ToolWords {
  readonly line: LineText;
  readonly name: string;
  /** The path, query or name in full. */
  readonly full: string;
  /** Arguments that the row does not show. */
  readonly more: JsonObject;
}

/** Says a call and what became of it. */
export function toolWords(part: ToolPart): ToolWords {
  const subject = subjectOf(part);
  const state = stateWords(part, subject);
  const more = Object.entries(part.arguments).filter(([key]) => !subject.shown.includes(key));
  return {
    line: {
      icon: state.icon ?? subject.icon,
      tone: state.tone,
      verb: state.verb,
      object: subject.object,
      mono: subject.mono ?? false,
      place: subject.place,
      result: state.result,
    },
    name: state.name,
    full: subject.full,
    more: Object.fromEntries(more),
  };
}

function subjectOf(part: ToolPart): Subject {
  const args = part.arguments;
  const path = text(args, 'path');
  switch (part.name) {
    case 'read_file': {
      const place = placed(path ?? '');
      const lines = lineRange(args);
      const full = lines === undefined ? place.full : `${place.full} · ${lines}`;
      const words = { icon: 'file', doing: 'Reading', did: 'Read', todo: 'read' };
      return { ...words, ...place, full, shown: ['path', 'start_line', 'end_line'] };
    }
    case 'list_files':
      return {
        icon: 'list-unordered',
        doing: 'Listing',
        did: 'Listed',
        todo: 'list',
        ...placed(path ?? '.'),
        shown: ['path'],
      };
    case 'search_text': {
      const query = text(args, 'query') ?? text(args, 'pattern') ?? '';
      const words = { icon: 'search', doing: 'Searching', did: 'Searched', todo: 'search', link: 'for' };
      const object = `“${query}”`;
      const place = path === undefined || path === '.' ? {} : { place: path };
      return { ...words, object, ...place, full: query, shown: ['query', 'pattern', 'path'] };
    }
    case 'load_skill': {
      const name = text(args, 'name') ?? '';
      const words = { icon: 'book', doing: 'Loading skill', did: 'Loaded skill', todo: 'load skill' };
      return { ...words, object: name, full: name, shown: ['name'] };
    }
    default:
      return {
        icon: 'tools',
        doing: 'Calling',
        did: 'Called',
        todo: 'call',
        object: part.name,
        mono: true,
        full: part.name,
        shown: [],
      };
  }
}

/** A path by its last step, which tells most, and the rest. */
function placed(path: string): Pick<Subject, 'object' | 'place' | 'full'> {
  const clean = path.replace(/[\\/]+$/, '');
  if (clean === '' || clean === '.') return { object: 'the folder', full: path };
  const cut = Math.max(clean.lastIndexOf('/'), clean.lastIndexOf('\\'));
  return { object: clean.slice(cut + 1), place: clean.slice(0, Math.max(cut, 0)), full: clean };
}

/** `88–131`, of what the model asked for. */
function lineRange(args: JsonObject): string | undefined {
  const from = args['start_line'];
  const to = args['end_line'];
  if (typeof from !== 'number' && typeof to !== 'number') return undefined;
  return `${typeof from === 'number' ? from : 1}–${typeof to === 'number' ? to : ''}`;
}

interface StateWords {
  readonly icon?: string;
  readonly tone?: Tone;
  readonly verb: string;
  readonly result?: string;
  readonly name: string;
}

function stateWords(part: ToolPart, subject: Subject): StateWords {
  const object = subject.object.replace(/^“(.*)”$/s, '$1');
  const about = subject.link === undefined ? object : `${subject.link} ${object}`;
  const summary = part.result?.summary ?? '';
  const asked = `${subject.todo} ${about}`;
  const state: ToolState = part.state;
  switch (state) {
    case 'pending':
    case 'running':
      return { icon: 'loading', tone: 'live', verb: subject.doing, name: `${subject.doing} ${about}, running` };
    case 'awaiting_approval':
      return {
        icon: 'bell-dot',
        tone: 'info',
        verb: capital(subject.todo),
        result: 'waits for you',
        name: `Waiting for your approval: ${asked}`,
      };
    case 'done': {
      const said = summary === '' ? '' : `, ${spoken(summary)}`;
      return { verb: subject.did, result: summary, name: `${subject.did} ${about}${said}, done` };
    }
    case 'error': {
      const reason = summary === '' ? 'failed' : summary;
      const said = summary === '' ? 'failed' : `failed: ${summary}`;
      return { icon: 'error', tone: 'bad', verb: subject.did, result: reason, name: `${subject.did} ${about} ${said}` };
    }
    case 'denied':
      return { icon: 'circle-slash', verb: capital(subject.todo), result: 'denied', name: `Denied: ${asked}` };
    case 'expired':
      return { icon: 'circle-slash', verb: capital(subject.todo), result: 'not run', name: `Not run: ${asked}` };
    case 'interrupted':
      return {
        icon: 'stop-circle',
        tone: 'warn',
        verb: capital(subject.todo),
        result: 'interrupted',
        name: `Interrupted: ${asked}`,
      };
  }
}

/** `88–131` as it is read aloud. */
function spoken(summary: string): string {
  return summary.replace(/^(\d[\d,]*)[–-](\d[\d,]*)$/, 'lines $1 to $2');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function text(args: JsonObject, key: string): string | undefined {
  const value = args[key];
  return typeof value === 'string' ? value : undefined;
}
