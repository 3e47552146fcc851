import type { LoadedModel, WaitPhase } from '../../protocol/status';
import { pause, type Clock } from '../base/clock';
import { WAIT_FIRST_LOOK_MS, WAIT_LOOK_MS, WAIT_LOOK_READING_MS } from '../base/limits';
import type { Place } from './chatLine';
import { isSameModel } from './modelName';
import type { ChatRequest } from './modelClient';

/** What the wait for a first record is told from. */
export interface WaitSources {
  readonly request: Pick<ChatRequest, 'model' | 'contextLength'>;
  readonly place: Place;
  readonly clock: Clock;
  /** The models in memory; undefined when the server does not say. Never rejects, ends in time and with the signal. */
  readonly loaded: (signal: AbortSignal) => Promise<readonly LoadedModel[] | undefined>;
}

/**
 * What the server does, each time it changes, until `first` settles. The server itself says nothing before the first
 * record, for minutes, so its memory is looked at from time to time; a quick answer costs no look.
 */
export async function* phasesUntil(
  first: Promise<unknown>,
  sources: WaitSources,
): AsyncGenerator<WaitPhase, void, undefined> {
  const looking = new AbortController();
  const over = first.then(
    () => undefined,
    () => undefined,
  );
  void over.then(() => looking.abort());
  const phases = phasesOf(sources, looking.signal);
  try {
    for (;;) {
      const next = await Promise.race([over, phases.next()]);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    looking.abort();
  }
}

async function* phasesOf(sources: WaitSources, signal: AbortSignal): AsyncGenerator<WaitPhase, void, undefined> {
  const { request, place, clock, loaded } = sources;
  let told: WaitPhase | undefined;
  if (place.isBehind) {
    yield (told = 'queued');
    await Promise.race([place.reached, aborted(signal)]);
  }
  await pause(clock, WAIT_FIRST_LOOK_MS, signal);
  while (!signal.aborted) {
    const models = await loaded(signal);
    if (signal.aborted) return;
    const phase = models === undefined ? told : phaseBy(models, request);
    if (phase !== undefined && phase !== told) yield (told = phase);
    await pause(clock, phase === 'reading' ? WAIT_LOOK_READING_MS : WAIT_LOOK_MS, signal);
  }
}

/** A model with a larger window than was asked for is there from before, and about to be loaded anew. */
function phaseBy(models: readonly LoadedModel[], { model, contextLength }: WaitSources['request']): WaitPhase {
  const mine = models.find(({ name }) => isSameModel(name, model));
  return mine === undefined || (mine.contextLength ?? 0) > contextLength ? 'loading' : 'reading';
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
