import type { Random } from '../torture/random';
import { SERVER_MOMENTS, WINDOW_MOMENTS, type Moment, type ServerMoment, type WindowMoment } from './lines';

const ALL: readonly Moment[] = [...WINDOW_MOMENTS, ...SERVER_MOMENTS, 'anytime'];

/** When the windows of a run die: the moments that are due, and those that have come. */
export class Deaths {
  /** The turns at which a moment becomes due. */
  readonly #byTurn = new Map<number, Moment>();
  readonly #due = new Set<Moment>();
  readonly #come: Moment[] = [];

  /** `kills` deaths, spread over `turns` turns, each moment as often as the others. */
  constructor(random: Random, turns: number, kills: number, moments: readonly Moment[] = ALL) {
    let left: Moment[] = [];
    for (let index = 0; index < kills; index += 1) {
      if (left.length === 0) left = shuffled(random, moments);
      // At the beginning of its share, so that a moment that comes rarely has the time for it.
      const turn = 2 + Math.floor((index * Math.max(1, turns - 2)) / kills);
      const moment = left.pop();
      if (moment !== undefined) this.#byTurn.set(turn, moment);
    }
  }

  /** Deaths that have come, in order. */
  get come(): readonly Moment[] {
    return this.#come;
  }

  /** Moments that are due and did not come yet. */
  get due(): readonly Moment[] {
    return [...this.#due];
  }

  get windowMoments(): readonly WindowMoment[] {
    return WINDOW_MOMENTS.filter((moment) => this.#due.has(moment));
  }

  /** Makes the moment of the turn due, if it has one. Answers it when it is one that comes in the window. */
  begin(turn: number): WindowMoment | undefined {
    const moment = this.#byTurn.get(turn);
    if (moment === undefined) return undefined;
    this.#due.add(moment);
    return WINDOW_MOMENTS.find((each) => each === moment);
  }

  /** Whether somebody dies now: the moment has come and was due. */
  takes(moment: ServerMoment | 'anytime'): boolean {
    return this.#due.has(moment) && this.#take(moment);
  }

  /** A window has killed itself. */
  took(moment: WindowMoment): void {
    this.#take(moment);
  }

  #take(moment: Moment): true {
    this.#due.delete(moment);
    this.#come.push(moment);
    return true;
  }
}

function shuffled(random: Random, moments: readonly Moment[]): Moment[] {
  return moments
    .map((moment) => ({ moment, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ moment }) => moment);
}
