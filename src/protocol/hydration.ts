import type { Draft, Frame, PageFrame, PartFrame, SnapshotFrame } from './frame';
import type { HelloId, StreamId } from './ids';
import type { ConversationStatus, WindowFacts } from './status';
import { fold, messageAt, withOlderPage, type Transcript } from './transcript';

/** What a view holds: nothing but what a snapshot and the events after it have told it. */
export interface ViewState {
  /** Of the latest `ready`: only the first snapshot that answers it is taken. */
  readonly hello: HelloId;
  readonly answered: boolean;
  readonly live?: LiveView;
  readonly facts?: WindowFacts;
}

export interface LiveView {
  readonly stream: StreamId;
  /** Events up to and with `have` are folded in. */
  readonly have: number;
  readonly transcript: Transcript;
  readonly status: ConversationStatus;
  /** As it was when the snapshot was made. What is typed since stands in the page alone, so nothing folds it. */
  readonly draft?: Draft;
}

/** `state` after a frame. `ask`: say `ready` again, something is missing. `retryPage`: the older page came too late. */
export interface Applied {
  readonly state: ViewState;
  readonly ask?: boolean;
  readonly retryPage?: boolean;
}

/** A view that has said `ready` and knows nothing yet. */
export function waitingView(hello: HelloId): ViewState {
  return { hello, answered: false };
}

/** The view after it said `ready` again: what it shows stays until the snapshot comes. */
export function askedAgain(state: ViewState, hello: HelloId): ViewState {
  return { ...state, hello, answered: false };
}

/**
 * Takes one frame. Pure and total: applying any frame twice, late, or from another life of the conversation changes
 * nothing, and what is missing is noticed (`ask`).
 */
export function applyFrame(state: ViewState, frame: Frame): Applied {
  switch (frame.kind) {
    case 'snapshot':
      return applySnapshot(state, frame);
    case 'batch': {
      const live = state.live;
      if (live === undefined || live.stream !== frame.stream) return foreign(state);
      if (frame.from > live.have + 1) return missing(state);
      let transcript = live.transcript;
      for (const event of frame.events.slice(live.have + 1 - frame.from)) {
        const folded = fold(transcript, event);
        if (!folded.ok) return missing(state);
        transcript = folded.transcript;
      }
      const have = Math.max(live.have, frame.from + frame.events.length - 1);
      return { state: { ...state, live: { ...live, have, transcript } } };
    }
    case 'page':
      return applyPage(state, frame);
    case 'part':
      return applyPart(state, frame);
    case 'status': {
      const live = state.live;
      if (live === undefined || live.stream !== frame.stream) return foreign(state);
      if (frame.status.version <= live.status.version) return { state };
      return { state: { ...state, live: { ...live, status: frame.status } } };
    }
    case 'facts':
      return { state: newerFacts(state, frame.facts) };
    case 'stale':
      return { state, ask: true };
  }
}

/** Something was lost. Once is enough to ask; and a host that says `stale` is always asked, for it has stopped sending. */
function missing(state: ViewState): Applied {
  return { state, ask: state.answered };
}

/** A frame of a stream that is not shown: another life's, late. Nothing is missing, for the host says `stale` first. */
function foreign(state: ViewState): Applied {
  return { state };
}

function applySnapshot(state: ViewState, frame: SnapshotFrame): Applied {
  const withFacts = newerFacts(state, frame.facts);
  const live = state.live;
  const known = live !== undefined && live.stream === frame.stream ? live : undefined;
  const late = known !== undefined && frame.n < known.have;
  if (state.answered || frame.hello !== state.hello || late) return { state: withFacts };
  const status = known !== undefined && known.status.version > frame.status.version ? known.status : frame.status;
  const { stream, n: have, transcript, draft } = frame;
  const view: LiveView = { stream, have, transcript, status, ...(draft === undefined ? {} : { draft }) };
  return { state: { ...withFacts, answered: true, live: view } };
}

function applyPage(state: ViewState, frame: PageFrame): Applied {
  const live = state.live;
  if (live === undefined || live.stream !== frame.stream) return foreign(state);
  // Events between `asOf` and `have` may have touched these messages while the view dropped them.
  if (frame.asOf < live.have) return { state, retryPage: true };
  if (frame.asOf > live.have) return missing(state);
  const transcript = withOlderPage(live.transcript, frame.messages, frame.hasOlder);
  return { state: { ...state, live: { ...live, transcript } } };
}

function applyPart(state: ViewState, frame: PartFrame): Applied {
  const live = state.live;
  if (live === undefined || live.stream !== frame.stream || frame.asOf !== live.have) return foreign(state);
  if (messageAt(live.transcript.messages, frame.seq)?.parts[frame.idx] === undefined) return { state };
  const folded = fold(live.transcript, { type: 'part_set', seq: frame.seq, idx: frame.idx, part: frame.part });
  if (!folded.ok) return missing(state);
  return { state: { ...state, live: { ...live, transcript: folded.transcript } } };
}

function newerFacts(state: ViewState, facts: WindowFacts): ViewState {
  return state.facts !== undefined && state.facts.version >= facts.version ? state : { ...state, facts };
}
