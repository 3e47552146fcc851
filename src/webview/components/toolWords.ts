import type { JsonObject, ToolPart } from '../../protocol/part';
import { approvalWords } from '../approvalWords';
import { formatDuration } from '../format';
import type { Tone } from '../tone';
import type { LineText } from './line';
import { subjectOf, type Subject } from './toolSubject';

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
      object: subject.object === '' ? undefined : subject.object,
      mono: subject.mono ?? false,
      place: subject.place,
      result: state.result,
      counts: state.counts,
    },
    name: state.name,
    full: subject.full,
    more: Object.fromEntries(more),
  };
}

interface StateWords {
  readonly icon?: string;
  readonly tone?: Tone;
  readonly verb: string;
  readonly result?: string;
  readonly counts?: LineText['counts'];
  readonly name: string;
}

function stateWords(part: ToolPart, subject: Subject): StateWords {
  const object = subject.object.replace(/^“(.*)”$/s, '$1');
  const about = subject.link === undefined ? object : `${subject.link} ${object}`;
  const sentence = (verb: string): string => (about === '' ? verb : `${verb} ${about}`);
  const summary = part.result?.summary ?? '';
  switch (part.state) {
    case 'pending':
      // It may yet be asked about, and others may be first.
      return {
        icon: 'circle-large',
        verb: capital(subject.todo),
        name: `${sentence(capital(subject.todo))}, not begun`,
      };
    case 'running':
      return { icon: 'loading', tone: 'live', verb: subject.doing, name: `${sentence(subject.doing)}, running` };
    case 'awaiting_approval':
      return {
        icon: 'bell-dot',
        tone: 'info',
        verb: capital(subject.todo),
        result: 'waits for you',
        name: `Waiting for your approval: ${sentence(subject.todo)}`,
      };
    case 'done':
      return doneWords(part, subject, sentence(subject.did));
    case 'error': {
      const said = summary === '' ? 'failed' : `failed: ${summary}`;
      const result = summary === '' ? 'failed' : summary;
      return { icon: 'error', tone: 'bad', verb: subject.did, result, name: `${sentence(subject.did)} ${said}` };
    }
    case 'denied':
      return {
        icon: 'circle-slash',
        verb: capital(subject.todo),
        result: 'denied',
        name: `Denied: ${sentence(subject.todo)}`,
      };
    case 'expired':
      return {
        icon: 'circle-slash',
        verb: capital(subject.todo),
        result: 'not run',
        name: `Not run: ${sentence(subject.todo)}`,
      };
    case 'interrupted':
      if (part.change?.undone === true) return doneWords(part, subject, sentence(subject.did));
      return {
        icon: 'stop-circle',
        tone: 'warn',
        verb: capital(subject.todo),
        result: 'interrupted',
        name: `Interrupted: ${sentence(subject.todo)}`,
      };
  }
}

/** `did`: the sentence so far. */
function doneWords(part: ToolPart, subject: Subject, did: string): StateWords {
  const { change, result } = part;
  const verb = subject.did;
  if (change?.undone === true) return { icon: 'discard', verb, result: 'undone', name: `${did}, undone` };
  if (change !== undefined) {
    const counts = [approvalWords.added(change.added), approvalWords.removed(change.removed)];
    return { verb, counts: change, name: `${did}, ${counts.join(', ')}, done` };
  }
  const exit = result?.exitCode;
  if (exit !== undefined) {
    const took = tookWords(part);
    // One that was told to stop has not failed.
    const failed = exit !== 0 && part.name !== 'stop_command';
    const name = `${did}, exit code ${exit}${took === '' ? '' : `, ${took}`}, ${failed ? 'failed' : 'done'}`;
    const words = { verb, result: took === '' ? `exit ${exit}` : `exit ${exit} · ${took}`, name };
    return failed ? { ...words, icon: 'error', tone: 'bad' } : words;
  }
  const summary = subject.result ?? result?.summary ?? '';
  return { verb, result: summary, name: `${did}${summary === '' ? '' : `, ${spoken(summary)}`}, done` };
}

/** `3.2 s`, of a call that has ended. */
function tookWords({ startedAt, endedAt }: ToolPart): string {
  return startedAt === undefined || endedAt === undefined ? '' : formatDuration(endedAt - startedAt);
}

/** `88–131` as it is read aloud. */
function spoken(summary: string): string {
  return summary.replace(/^(\d[\d,]*)[–-](\d[\d,]*)$/, 'lines $1 to $2');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
