import type { ApprovalSubject } from '../../protocol/approval';
import type { FileChange } from '../../protocol/fileChange';
import type { JsonObject, ToolPart } from '../../protocol/part';
import { todoCounts } from './todoItems';

/** What a call is about, in the words of its row. */
export interface Subject {
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
  /** A few words about what came of it, where the tool's own are not wanted. */
  readonly result?: string;
}

/** Kinds of finished read-only calls, as they are counted in a fold. Undefined: not to be folded. */
export type ReadKind = 'file' | 'folder' | 'search' | 'problems';

/** Which kind of reading a finished call was. One that the person gave leave to stays in sight. */
export function readKind(part: ToolPart): ReadKind | undefined {
  if (part.state !== 'done' || part.approval !== undefined) return undefined;
  switch (part.name) {
    case 'read_file':
      return 'file';
    case 'list_files':
      return 'folder';
    case 'search_text':
    case 'find_files':
      return 'search';
    case 'diagnostics':
      return 'problems';
    default:
      return undefined;
  }
}

/** Says what a call is about. */
export function subjectOf(part: ToolPart): Subject {
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
    case 'list_files': {
      const words = { icon: 'list-unordered', doing: 'Listing', did: 'Listed', todo: 'list' };
      return { ...words, ...placed(path ?? '.'), shown: ['path'] };
    }
    case 'search_text': {
      const query = text(args, 'query', 'pattern') ?? '';
      const words = { icon: 'search', doing: 'Searching', did: 'Searched', todo: 'search', link: 'for' };
      return { ...words, object: `“${query}”`, ...within(path), full: query, shown: ['query', 'pattern', 'path'] };
    }
    case 'find_files': {
      const pattern = text(args, 'pattern', 'glob', 'query') ?? '';
      const words = { icon: 'search', doing: 'Looking for', did: 'Looked for', todo: 'look for' };
      const shown = ['pattern', 'glob', 'query', 'path'];
      return { ...words, object: pattern, mono: true, ...within(path), full: pattern, shown };
    }
    case 'write_file':
    case 'edit_file': {
      const change = changeOf(part);
      const writes = change === undefined ? part.name === 'write_file' : change.kind === 'created';
      const words = writes
        ? { doing: 'Writing', did: 'Wrote', todo: 'write' }
        : { doing: 'Editing', did: 'Edited', todo: 'edit' };
      // What was to be written is the change, which is shown as such.
      const shown = change === undefined ? ['path'] : Object.keys(args);
      return { icon: 'edit', ...words, ...placed(change?.path ?? path ?? ''), shown };
    }
    case 'run_command': {
      const command = commandOf(part) ?? '';
      const words = { icon: 'terminal', doing: 'Running', did: 'Ran', todo: 'run' };
      return { ...words, object: oneLine(command), mono: true, full: command, shown: ['command'] };
    }
    case 'read_command':
      return { ...aboutCommand(part), icon: 'terminal', doing: 'Reading', did: 'Read', todo: 'read', shown: ['id'] };
    case 'stop_command':
      return {
        ...aboutCommand(part),
        icon: 'debug-stop',
        doing: 'Stopping',
        did: 'Stopped',
        todo: 'stop',
        shown: ['id'],
      };
    case 'send_input': {
      const input = text(args, 'text', 'input') ?? '';
      const words = { icon: 'terminal', doing: 'Typing', did: 'Typed', todo: 'type' };
      const place = `into ${aboutCommand(part).object}`;
      return {
        ...words,
        object: `“${oneLine(input)}”`,
        place,
        full: input,
        shown: ['text', 'input', 'id'],
        result: '',
      };
    }
    case 'diagnostics': {
      const all = path === undefined || path === '';
      const of = all ? '' : ' of';
      const words = {
        icon: 'inspect',
        doing: `Checking problems${of}`,
        did: `Checked problems${of}`,
        todo: `check problems${of}`,
      };
      const place = all ? { object: '', full: 'Problems' } : placed(path);
      return { ...words, ...place, shown: ['path'] };
    }
    case 'todo': {
      const words = { icon: 'checklist', doing: 'Updating', did: 'Updated', todo: 'update' };
      const result = todoCounts(args);
      const said = result === undefined ? {} : { result };
      return { ...words, object: 'the to-do list', full: 'To-do list', shown: Object.keys(args), ...said };
    }
    case 'remember': {
      const kept = subjectAsked(part, 'memory')?.text ?? text(args, 'text', 'content') ?? '';
      const words = { icon: 'bookmark', doing: 'Remembering', did: 'Remembered', todo: 'remember' };
      const result = text(args, 'scope') === 'everywhere' ? 'for every folder' : '';
      return { ...words, object: `“${oneLine(kept)}”`, full: oneLine(kept), shown: [], result };
    }
    case 'load_skill': {
      const name = text(args, 'name') ?? '';
      const words = { icon: 'book', doing: 'Loading skill', did: 'Loaded skill', todo: 'load skill' };
      return { ...words, object: name, full: name, shown: ['name'] };
    }
    default: {
      const words = { icon: 'tools', doing: 'Calling', did: 'Called', todo: 'call' };
      return { ...words, object: part.name, mono: true, full: part.name, shown: [] };
    }
  }
}

/** What a call changed in a file, or would have. */
export function changeOf(part: ToolPart): FileChange | undefined {
  return part.change ?? subjectAsked(part, 'edit')?.change;
}

/** Whether a call is about one file that can be opened. */
export function namesFile(part: ToolPart): boolean {
  return part.name === 'read_file' || changeOf(part) !== undefined;
}

/** The command that a call is about, as far as it says. */
export function commandOf(part: ToolPart): string | undefined {
  return (
    subjectAsked(part, 'command')?.command ?? subjectAsked(part, 'input')?.command ?? text(part.arguments, 'command')
  );
}

/** What leave was asked for, if it was of this kind. */
function subjectAsked<K extends ApprovalSubject['kind']>(
  { approval }: ToolPart,
  kind: K,
): Extract<ApprovalSubject, { kind: K }> | undefined {
  const subject = approval?.subject;
  const isKind = (one: ApprovalSubject): one is Extract<ApprovalSubject, { kind: K }> => one.kind === kind;
  return subject !== undefined && isKind(subject) ? subject : undefined;
}

/** A command in the background goes by its id. */
function aboutCommand(part: ToolPart): Pick<Subject, 'object' | 'full' | 'mono'> {
  const command = commandOf(part);
  if (command !== undefined) return { object: oneLine(command), full: command, mono: true };
  const id = part.arguments['id'];
  const named = typeof id === 'string' || typeof id === 'number' ? `command ${id}` : 'a command';
  return { object: named, full: named };
}

/** A path by its last step, which tells most, and the rest. */
function placed(path: string): Pick<Subject, 'object' | 'place' | 'full'> {
  const clean = path.replace(/[\\/]+$/, '');
  if (clean === '' || clean === '.') return { object: 'the folder', full: path };
  const cut = Math.max(clean.lastIndexOf('/'), clean.lastIndexOf('\\'));
  return { object: clean.slice(cut + 1), place: clean.slice(0, Math.max(cut, 0)), full: clean };
}

/** The folder that something is looked for in, unless it is the whole. */
function within(path: string | undefined): Pick<Subject, 'place'> {
  return path === undefined || path === '.' ? {} : { place: path };
}

/** `88–131`, of what the model asked for. */
function lineRange(args: JsonObject): string | undefined {
  const from = args['start_line'];
  const to = args['end_line'];
  if (typeof from !== 'number' && typeof to !== 'number') return undefined;
  return `${typeof from === 'number' ? from : 1}–${typeof to === 'number' ? to : ''}`;
}

function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim();
}

/** The first of the arguments with these names that is a text: models do not always take the name they were told. */
function text(args: JsonObject, ...keys: readonly string[]): string | undefined {
  return keys.map((key) => args[key]).find((value) => typeof value === 'string');
}
