import { COMMAND_LONGEST_SECONDS } from '../../base/limits';
import { counted } from '../outputText';
import type { ToolOutcome } from '../tool';
import type { Excerpt } from './commandOutput';
import type { ProcessEntry } from './processTable';
import type { CommandEnd, RunningCommand } from './runningCommand';

/** Processes that are named, and characters of what each is called. */
const NAMED_PROCESSES = 10;
const PROCESS_CHARS = 80;

/** What a command has answered that has ended by itself. Ending badly is no failure of the tool. */
export async function endedOutcome(command: RunningCommand, end: CommandEnd): Promise<ToolOutcome> {
  const content = joined([endSentence(end), leftSentence(command, end.left), await newOutput(command)]);
  return { ok: true, content, ...endSummary(end) };
}

/** The same for one that was ended because its time was over. */
export async function lateOutcome(
  command: RunningCommand,
  seconds: number,
  left: readonly ProcessEntry[],
): Promise<ToolOutcome> {
  const why =
    `It did not end within ${seconds} s and was ended with everything that it started. timeout_seconds may be up to ` +
    `${COMMAND_LONGEST_SECONDS}; what is not meant to end runs with background.`;
  const content = joined([why, leftSentence(command, left), await newOutput(command)]);
  return { ok: false, content, summary: `time limit ${seconds} s` };
}

/** How it ended, with its exit code first. */
export function endSentence(end: CommandEnd): string {
  const after = `after ${shownSeconds(end.ms)}`;
  return end.code === undefined ? `Ended by ${end.signal ?? 'a signal'} ${after}.` : `Exit code ${end.code} ${after}.`;
}

/** The same in the row. */
export function endSummary(end: CommandEnd): { readonly summary: string; readonly exitCode?: number } {
  const took = shownSeconds(end.ms);
  if (end.code === undefined) return { summary: `${end.signal ?? 'signal'} · ${took}` };
  return { summary: `exit ${end.code} · ${took}`, exitCode: end.code };
}

/** What still runs though the command has ended; undefined: nothing that is known of. */
export function leftSentence({ id }: RunningCommand, left: readonly ProcessEntry[]): string | undefined {
  if (left.length === 0) return undefined;
  const named = left.slice(0, NAMED_PROCESSES).map(({ pid, words }) => `${pid} (${words.slice(0, PROCESS_CHARS)})`);
  const more = left.length > named.length ? ` and ${left.length - named.length} more` : '';
  return `It left running in the background: ${named.join(', ')}${more}. stop_command with id ${id} ends that.`;
}

/** What was printed since it was read last, with a word on what is left out. */
export async function newOutput(command: RunningCommand): Promise<string> {
  const excerpt = await command.readNew();
  const text = joined([withoutLastEnd(excerpt.head), gap(command, excerpt), withoutLastEnd(excerpt.tail)]);
  if (text !== '') return text;
  return excerpt.end.bytes === 0 ? '(It printed nothing.)' : '(It printed nothing more.)';
}

/** Sentences and texts, those that there are, each on lines of its own. */
export function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n');
}

function gap({ id, output }: RunningCommand, excerpt: Excerpt): string | undefined {
  if (excerpt.omittedBytes === 0) return undefined;
  const { omittedLines, omittedBytes, nextLine } = excerpt;
  if (omittedLines === 0) return `[… ${shownBytes(omittedBytes)} of this line omitted …]`;
  const what = `${counted(omittedLines, 'line', 'lines')} (${shownBytes(omittedBytes)}) omitted`;
  const lost = output.lost === undefined ? '' : `; ${output.lost}`;
  return `[… ${what}: read them with read_command id ${id} from_line ${nextLine}${lost} …]`;
}

function withoutLastEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** `3.2 s`, `41 s`, `1 min 8 s`, as the panel writes times. */
function shownSeconds(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1).replace(/\.0$/, '')} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `812 bytes`, `1.2 MB`. */
function shownBytes(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, 'byte', 'bytes');
  const [unit, size] =
    bytes < 1_048_576 ? ['KB', 1_024] : bytes < 1_073_741_824 ? ['MB', 1_048_576] : ['GB', 1_073_741_824];
  return `${(bytes / size).toFixed(1)} ${unit}`;
}
