/** The parent: holds the server of models, plays the person, starts the windows anew, and looks at every body. */
import { mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { OllamaServer } from '../support/ollama/ollamaServer';
import { Random } from '../torture/random';
import { Undo } from '../torture/undo';
import { BodyWatch } from './bodyWatch';
import { Deaths } from './deaths';
import type { LastMessage, Moment, WindowLine } from './lines';
import { goOn, questionOf, type Question } from './person';
import { planTurn, type Act } from './plan';
import { Remembered } from './remembered';
import type { LongRunResult } from './report';
import { ScriptedModel } from './scriptedModel';
import { SYSTEM_PROMPT } from './surroundings';
import { verify } from './verify';
import { Window, type OpenLine } from './window';
import { makeWorkFolder } from './workFolder';

export interface LongRunOptions {
  readonly turns: number;
  readonly kills: number;
  readonly seed: number;
  /** The moments of the kills; all that there are by default. */
  readonly moments?: readonly Moment[];
  /** What the model does in every turn; by default it follows from the seed. */
  readonly acts?: readonly Act[];
  /** Folder for the files of this run; removed when all went well. */
  readonly folder: string;
  /** Folder of the bundled program of the windows. */
  readonly programs: string;
  /** Path of the ripgrep program. */
  readonly ripgrep: string;
  readonly tell: (line: string) => void;
}

/** Window of the model in tokens. */
const CONTEXT_LENGTH = 4_096;
/** A turn that takes longer (ms) hangs. */
const HANG_MS = 120_000;
/** Share of the turns in which the person writes another message before the answer is there. */
const QUEUE_SHARE = 0.06;
/** Share of the turns that ended badly which the person has answered again. */
const RETRY_SHARE = 0.4;
/** Turns after the last one for moments of death that have not come. */
const EXTRA_TURNS = 40;
const ANYTIME_MS = 250;

export async function longRun(options: LongRunOptions): Promise<LongRunResult> {
  const run = new LongRun(options);
  return run.run();
}

class LongRun {
  readonly #options: LongRunOptions;
  readonly #undo = new Undo();
  readonly #log: number;
  readonly #errors: number;
  readonly #deaths: Deaths;
  readonly #remembered = new Remembered();
  readonly #model: ScriptedModel;
  readonly #bodies: BodyWatch;
  readonly #people: Random;
  readonly #plans: Random;
  readonly #problems: string[] = [];
  #server: OllamaServer | undefined;
  #paths: readonly string[] = [];
  #window: Window | undefined;
  #conversation: string | undefined;
  #last: LastMessage | undefined;
  #turns = 0;
  #goneOn = 0;

  constructor(options: LongRunOptions) {
    this.#options = options;
    const { folder, seed, turns, kills, moments } = options;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    this.#log = openSync(join(folder, 'log.jsonl'), 'a');
    this.#errors = openSync(join(folder, 'stderr.txt'), 'a');
    this.#people = new Random(seed, 'people');
    this.#plans = new Random(seed, 'plans');
    this.#deaths = new Deaths(new Random(seed, 'deaths'), turns, kills, moments);
    this.#bodies = new BodyWatch(SYSTEM_PROMPT, CONTEXT_LENGTH);
    this.#model = new ScriptedModel(new Random(seed, 'model'), async (moment) => {
      if (this.#deaths.takes(moment)) await this.#window?.kill();
    });
  }

  async run(): Promise<LongRunResult> {
    const { seed, turns, folder, tell } = this.#options;
    const since = performance.now();
    this.#server = await OllamaServer.start({
      models: [{ name: 'long-runner', capabilities: ['completion', 'tools', 'thinking'] }],
      fallback: (request) => {
        this.#note('request', { tools: request.tools?.length, messages: request.messages.length });
        this.#bodies.look(this.#server?.chats.at(-1)?.body, request, this.#remembered.said);
        return this.#model.answer(request);
      },
    });
    try {
      this.#paths = await makeWorkFolder(join(folder, 'work'), new Random(seed, 'folder'));
      while (this.#turns < turns || (this.#deaths.due.length > 0 && this.#turns < turns + EXTRA_TURNS)) {
        await this.#turn();
        if (this.#turns % 20 === 0) tell(`${this.#turns} turns, ${this.#deaths.come.length} kills`);
      }
      await this.#closeWindow();
    } catch (error) {
      this.#problems.push(`The run broke off in turn ${this.#turns}: ${String(error)}`);
    } finally {
      this.#undo.all();
      await this.#server.close();
    }
    if (this.#deaths.due.length > 0) this.#problems.push(`Moments that never came: ${this.#deaths.due.join(', ')}.`);
    const refused = this.#server.chats.length - this.#bodies.requests;
    if (refused > 0) this.#problems.push(`The server refused ${refused} bodies.`);
    const verified = await verify(join(folder, 'history'), this.#conversation ?? '', this.#remembered);
    const result: LongRunResult = {
      seed,
      turns: this.#turns,
      kills: this.#deaths.come,
      requests: this.#bodies.requests,
      summaries: this.#bodies.summaries,
      compactions: this.#remembered.compactions,
      longestPrompt: this.#bodies.longest,
      windows: this.#bodies.windows,
      keepAlives: this.#bodies.keepAlives,
      deeds: this.#model.deeds,
      bodyProblems: this.#bodies.problems,
      problems: [...this.#problems, ...this.#remembered.problems, ...verified.problems],
      quickCheck: verified.quickCheck,
      messages: verified.messages,
      seconds: Math.round((performance.now() - since) / 100) / 10,
      folder,
    };
    if (result.problems.length + result.bodyProblems.length === 0) rmSync(folder, { recursive: true, force: true });
    return result;
  }

  /** The person asks, and goes on until nothing runs any more, whatever happens to the window. */
  async #turn(): Promise<void> {
    this.#turns += 1;
    const due = this.#deaths.begin(this.#turns);
    if (due !== undefined) this.#window?.dieAt(due);
    this.#model.plan(this.#options.acts ?? planTurn(this.#plans, this.#paths));
    const question = questionOf(this.#people, this.#turns);
    const second = this.#people.chance(QUEUE_SHARE)
      ? { clientId: `second-${this.#turns}`, text: `Question ${this.#turns}, and another thing.` }
      : undefined;
    await this.#ask(question, second);
    const endedBadly = this.#last?.status === 'error' || this.#last?.status === 'aborted';
    if (!endedBadly || !this.#people.chance(RETRY_SHARE)) return;
    this.#model.plan([{ kind: 'say' }]);
    await this.#ask(undefined);
  }

  /** Sends a message, or has the last one answered again; after a death the person goes on one way or another. */
  async #ask(question: Question | undefined, second?: Question): Promise<void> {
    let next = question;
    for (let sent = false; ;) {
      const { window, open } = await this.#openWindow();
      // A window that died has answered nothing; but what it said it had kept must be there.
      if (sent && next !== undefined && (open?.own.includes(next.clientId) || open?.queued.includes(next.clientId))) {
        next = this.#people.chance(0.5) ? undefined : this.#goOn();
      }
      if (await this.#asked(window, next, sent ? undefined : second)) return;
      sent = true;
    }
  }

  #goOn(): Question {
    this.#goneOn += 1;
    return goOn(this.#goneOn);
  }

  /** Whether the window came to rest; else it has died. */
  async #asked(window: Window, question: Question | undefined, second: Question | undefined): Promise<boolean> {
    const rest = window.next('idle', 'refused');
    for (const each of [question, second]) {
      if (each === undefined) continue;
      this.#remembered.sent(each);
      window.send(each);
    }
    if (question === undefined) window.retry();
    if (this.#deaths.takes('anytime')) {
      setTimeout(() => void window.kill(), this.#people.between(0, ANYTIME_MS));
    }
    const hang = setTimeout(() => {
      this.#problems.push(`Turn ${this.#turns} hung.`);
      void window.kill();
    }, HANG_MS);
    const end = await rest;
    clearTimeout(hang);
    if (end.kind === 'heard') {
      if (end.line.kind === 'refused') this.#problems.push(`Turn ${this.#turns} was refused: ${end.line.words}`);
      else this.#remembered.heard(this.#model.takeSaid());
      return true;
    }
    this.#note('died', { how: end.how });
    this.#window = undefined;
    this.#model.takeSaid();
    if (end.how !== 'SIGKILL') throw new Error(`A window ended by itself: ${end.how}.`);
    return false;
  }

  /** The window that is open, or a new one; `open`: what a new one knew. */
  async #openWindow(): Promise<{ readonly window: Window; readonly open?: OpenLine }> {
    if (this.#window !== undefined) return { window: this.#window };
    const { folder, programs, ripgrep } = this.#options;
    const window = new Window({
      options: {
        history: join(folder, 'history'),
        work: join(folder, 'work'),
        serverUrl: this.#server?.url ?? '',
        ripgrep,
        contextLength: CONTEXT_LENGTH,
        ...(this.#conversation === undefined ? {} : { conversation: this.#conversation }),
      },
      programs,
      errors: this.#errors,
      undo: this.#undo,
      heard: (line) => this.#heard(line),
    });
    const opened = await window.next('open');
    if (opened.kind === 'dead') throw new Error(`A window did not open: ${opened.how}.`);
    const { line } = opened;
    this.#conversation = line.conversation;
    this.#remembered.opened(line);
    for (const moment of this.#deaths.windowMoments) window.dieAt(moment);
    this.#window = window;
    return { window, open: line };
  }

  async #closeWindow(): Promise<void> {
    const window = this.#window;
    if (window === undefined) return;
    window.close();
    const how = await window.ended;
    if (how !== 'exit code 0') this.#problems.push(`The last window ended with ${how}.`);
  }

  #heard(line: WindowLine): void {
    this.#note('window', line);
    switch (line.kind) {
      case 'asked':
      case 'kept':
      case 'compacted':
        return this.#remembered.told(line);
      case 'idle':
        this.#last = line.last;
        return this.#remembered.told(line);
      case 'dying':
        return this.#deaths.took(line.at);
      case 'unsaved':
      case 'broken':
        this.#problems.push(`Turn ${this.#turns}: ${line.words}`);
        return;
      case 'open':
      case 'refused':
      case 'log':
      case 'closed':
        return;
    }
  }

  #note(what: string, facts: object): void {
    writeSync(this.#log, `${JSON.stringify({ what, turn: this.#turns, ...facts })}\n`);
  }
}
