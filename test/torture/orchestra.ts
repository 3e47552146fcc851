/** The parent: opens the windows, lets the faults play, and compares what was promised with what is in the file. */
import { cpSync, mkdirSync, openSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from './child';
import { Disk, removeDisksOfTheDead } from './disk';
import { settingClocks } from './faults/clockJump';
import { closingWindows } from './faults/closeWindow';
import { breakingStatements } from './faults/diskError';
import { freezing } from './faults/freeze';
import { fillingTheDisk } from './faults/fullDisk';
import { killing } from './faults/kill';
import { lockHolding } from './faults/lockHold';
import { makingReadOnly } from './faults/readOnly';
import { Fleet } from './fleet';
import { Journal } from './journal';
import { Ledger } from './ledger';
import type { ObserverLine, ParentLine, WorkerLine } from './lines';
import type { ObserverOptions } from './observer';
import { noCounts, type Problem } from './problem';
import { Random } from './random';
import { inWords, type TortureResult } from './report';
import type { Pace, Stage } from './stage';
import { Undo } from './undo';
import { verify } from './verify';

export interface TortureOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Folder for the logs and the history of this run and others. */
  readonly runs: string;
  /** Folder of the bundled programs. */
  readonly programs: string;
  readonly tell: (line: string) => void;
}

const WINDOWS = 6;
/** Below this length of a run (s) everything happens faster, so that it happens at all. */
const SHORT_S = 60;
const LONG: Pace = {
  kill: 1_800,
  close: 9_000,
  freeze: 2_500,
  lockHold: 9_000,
  fullDisk: 15_000,
  readOnly: 17_000,
  diskError: 8_000,
  clockJump: 4_000,
  longestFreezeMs: 12_000,
  longestHoldMs: 60_000,
  longestOutageMs: 4_000,
};
const SHORT: Pace = {
  kill: 1_300,
  close: 6_000,
  freeze: 1_200,
  lockHold: 4_000,
  fullDisk: 7_000,
  readOnly: 7_000,
  diskError: 3_000,
  clockJump: 1_500,
  longestFreezeMs: 2_000,
  longestHoldMs: 4_000,
  longestOutageMs: 1_500,
};
/**
 * After the last fault the windows have so long (ms) to write what waits: longer than their longest pause. A fixed time,
 * for what is tried is that they need no event of ours to do it.
 */
const CALM_MS = 4_000;
const OBSERVER_CLOSING_MS = 60_000;
const PROGRESS_MS = 30_000;
/** What a person must not see. */
const RAW_ERROR = /SQLITE_|constraint failed|malformed|no such/;

export async function torture(options: TortureOptions): Promise<TortureResult> {
  const { seconds, seed, runs, programs, tell } = options;
  mkdirSync(runs, { recursive: true });
  removeDisksOfTheDead(runs);
  const folder = join(runs, `${seed}.${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'copies'), { recursive: true });
  mkdirSync(join(folder, 'files'));
  const files = realpathSync(join(folder, 'files'));
  const undo = new Undo();
  const journal = new Journal(folder);
  const ledger = new Ledger();
  const counts = noCounts();
  const problems: Problem[] = [];
  const skipped: string[] = [];
  const errors = openSync(join(folder, 'stderr.log'), 'a');
  const child = { programs, errors, undo };
  try {
    const disk = Disk.make(folder, seconds < SHORT_S ? 48 : 96 + Math.round(seconds / 4), undo);
    const fleet = new Fleet({
      size: WINDOWS,
      seed,
      folder: disk.folder,
      files,
      random: new Random(seed, 'fleet'),
      child,
      heard: (who, line) => heardWorker(who, line),
      ended: (who, how, byItself) => {
        const { at } = journal.write(who, { kind: `ended: ${how}` });
        ledger.takeoversOver(who, at);
        if (byItself) problems.push({ invariant: 'broken', words: `${who} died by itself: ${how}.`, at });
      },
    });
    const observerOptions: ObserverOptions = {
      folder: disk.folder,
      copies: join(folder, 'copies'),
      pauseMs: seconds < SHORT_S ? 500 : 1_500,
    };
    const observer = new Child<ParentLine, ObserverLine>({
      ...child,
      program: 'observer',
      argument: JSON.stringify(observerOptions),
      heard: heardObserver,
    });
    const stage = makeStage(fleet, disk);
    const progress = setInterval(() => tell(progressLine()), PROGRESS_MS);
    await Promise.all([
      killing(stage),
      closingWindows(stage),
      freezing(stage),
      lockHolding(stage, child),
      fillingTheDisk(stage),
      makingReadOnly(stage),
      breakingStatements(stage),
      settingClocks(stage),
    ]);
    clearInterval(progress);
    tell(`${progressLine()}. Letting go …`);
    disk.makeRoom();
    fleet.calmDown();
    await new Promise((resolve) => setTimeout(resolve, CALM_MS));
    for (const who of await fleet.close())
      problems.push({ invariant: 'broken', words: `${who} did not end when it was told to.` });
    observer.tell({ kind: 'close' });
    const observerEnd = await observer.endedWithin(OBSERVER_CLOSING_MS);
    if (observerEnd !== 'exit code 0')
      problems.push({ invariant: 'broken', words: `The observer ended with ${observerEnd ?? 'force'}.` });

    tell(`Comparing ${ledger.size} acknowledged changes with the file …`);
    const { problems: found, ...verified } = await verify({ folder: disk.folder, files, ledger });
    problems.push(...found);
    counts.acknowledged = ledger.size;
    if (problems.length > 0) cpSync(disk.folder, join(folder, 'history'), { recursive: true });
    const result = {
      seed,
      seconds,
      counts,
      problems,
      ...verified,
      skipped,
      findings: inWords(problems, journal),
      folder,
    };
    undo.all();
    if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
    return result;
  } finally {
    undo.all();
  }

  function makeStage(fleet: Fleet, disk: Disk): Stage {
    const end = performance.now() + seconds * 1_000;
    return {
      seed,
      pace: seconds < SHORT_S ? SHORT : LONG,
      fleet,
      disk,
      undo,
      counts,
      get isOver() {
        return performance.now() >= end;
      },
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(ms, end - performance.now())))),
      note: (what) => void journal.write('torture', { kind: what }),
      skip: (what) => {
        skipped.push(what);
        tell(`Skipped: ${what}`);
      },
    };
  }

  function heardWorker(who: string, line: WorkerLine): void {
    const entry = journal.write(who, line);
    if (line.kind === 'ack') ledger.acknowledged(who, line, entry);
    else if (line.kind === 'leave') ledger.calls.leaveGiven(who, line);
    else if (line.kind === 'effect') {
      counts.effects += 1;
      problems.push(...ledger.calls.effected(who, line, entry.at));
    } else if (line.kind === 'answered') {
      counts.answers += line.taken;
      if (line.resumed) counts.resumed += line.taken;
      if (line.taken > 1) {
        const words = `${line.conversation}: ${who} took ${line.taken} answers to one request.`;
        problems.push({ invariant: 'waitingFaults', words, conversation: line.conversation, at: entry.at });
      }
    } else if (line.kind === 'takeover_asked') ledger.takeoverAsked(who, line.conversation);
    else if (line.kind === 'takeover_answered') {
      ledger.takeoversOver(who, entry.at);
      if (line.ok) counts.takeovers += 1;
    } else if (line.kind === 'fenced') {
      if (line.type === 'message_added' && !line.started) counts.fencedMessages += 1;
      const problem = ledger.fenced(who, line, entry);
      if (problem !== undefined) problems.push(problem);
    } else if (line.kind === 'shown') {
      counts.shown += 1;
      if (RAW_ERROR.test(line.text)) {
        problems.push({
          invariant: 'rawErrorsShown',
          words: `${who} shows in ${line.where}: ${line.text}`,
          at: entry.at,
        });
      }
    } else if (line.kind === 'broken') {
      problems.push({ invariant: 'broken', words: `${who}: ${line.text}`, at: entry.at });
    } else if (line.kind === 'closed' && line.inPeace && line.unwritten > 0) {
      problems.push({
        invariant: 'unwritten',
        words: `${who} closed with ${line.unwritten} changes unwritten.`,
        at: entry.at,
      });
    }
  }

  function heardObserver(line: ObserverLine): void {
    const { at } = journal.write('observer', line);
    if (line.kind === 'copied') counts.copies += 1;
    else if (line.kind === 'read') counts.reads += 1;
    else if (line.kind === 'passing') counts.passingErrors += 1;
    else if (line.kind === 'unreadable') {
      const { where, conversation, why } = line;
      const words = `${conversation ?? 'The file'} in the ${where}: ${why}`;
      problems.push({ invariant: 'unreadable', words, at, ...(conversation === undefined ? {} : { conversation }) });
    }
  }

  function progressLine(): string {
    const { kills, stops, lockHolds, fullDisks, copies } = counts;
    const faults = `${kills} kills, ${stops} stops, ${lockHolds} locks held, ${fullDisks} full disks`;
    return `${Math.round(journal.now / 1_000)} s: ${ledger.size} changes acknowledged; ${faults}, ${copies} copies checked; ${problems.length} problems`;
  }
}
