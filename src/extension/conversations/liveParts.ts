import type { ConversationId } from '../../protocol/ids';
import { SerialQueue } from '../base/serialQueue';
import type { Log } from '../base/log';
import type { Change } from '../storage/change';
import { Approvals } from './leave/approvals';
import { ContextGauge } from './turns/contextGauge';
import { DraftKeeper } from './saving/draftKeeper';
import { FileSync } from './windows/fileSync';
import { JobRunner } from './turns/jobRunner';
import type { LiveSeed } from './liveSeed';
import type { LiveServices } from './liveServices';
import { LiveTranscript } from './liveTranscript';
import type { MailboxEvent, MailboxState, MailboxStep } from './turns/mailbox';
import { MessageQueue } from './turns/messageQueue';
import { Outbox } from './turns/outbox';
import { Recording } from './saving/recording';
import { RunClaimer } from './turns/runClaim';
import { SaveWatch } from './saving/saveWatch';
import { TurnRunner } from './turns/turnRunner';

/** What the parts of a live conversation tell it, and ask it. */
export interface LiveHooks {
  readonly mailbox: () => MailboxState;
  readonly post: (event: MailboxEvent) => MailboxStep;
  /** What a view is told beside the transcript changed. */
  readonly changed: () => void;
  readonly stop: () => void;
  /** The file cannot be read now. */
  readonly cannotLook: (error: unknown) => void;
  /** Turns that began while the file failed never were this window's to run, though nobody could know. */
  readonly rescue: () => void;
  /** Another window took the run over. */
  readonly lost: () => void;
}

/** What a live conversation consists of. Each part does one thing; the conversation itself holds the mailbox. */
export interface LiveParts {
  readonly live: LiveTranscript;
  readonly context: ContextGauge;
  readonly save: SaveWatch;
  readonly claimer: RunClaimer;
  readonly recording: Recording;
  readonly queue: MessageQueue;
  readonly draft: DraftKeeper;
  readonly approvals: Approvals;
  /** Claims and looks at the file, one at a time. */
  readonly looks: SerialQueue;
  readonly file: FileSync;
  readonly jobs: JobRunner;
  readonly turns: TurnRunner;
  readonly outbox: Outbox;
}

/** Puts the parts of a live conversation together. */
export function liveParts(services: LiveServices, seed: LiveSeed, log: Log, hooks: LiveHooks): LiveParts {
  const { store, clock } = services;
  const { stored, workspace } = seed;
  const id: ConversationId = seed.conversation.id;
  const live = new LiveTranscript({ conversation: seed.conversation, ...seed.page });
  const context = new ContextGauge(live, (model) => services.windowsOf(model));
  const save = new SaveWatch(store, clock, stored?.rejected ?? 0, hooks.changed);
  const claimer = new RunClaimer(store, id, stored?.seenFence);
  const looks = new SerialQueue();
  const write = (change: Change): void => void recording.write(change);
  const approvals = new Approvals(seed.mode ?? 'ask', {
    rules: () => services.rules.of(workspace.key),
    isTrusted: () => services.isTrusted(),
    grant: (rule) => services.rules.granted(workspace.key, rule, recording.write({ type: 'permission_granted', rule })),
    waiting: (waits) =>
      void hooks.post(waits ? { type: 'approval_asked' } : { type: 'approval_answered', now: clock.now() }),
  });
  const origin = (): readonly Change[] => {
    const { conversation } = live.current;
    const { storedMode: mode } = approvals;
    const first = seed.origin ?? { type: 'conversation_created', conversation, workspace };
    return mode === 'ask' ? [first] : [first, { type: 'mode_set', mode }];
  };
  const recording: Recording = new Recording(
    store,
    id,
    { live, claimer, save, origin, rescue: hooks.rescue, lost: hooks.lost },
    clock,
  );
  const queue: MessageQueue = new MessageQueue(stored?.queue ?? [], {
    write: (change) => {
      // The turn that it waits for may not have written anything yet.
      recording.create();
      return recording.write(change);
    },
    isSent: (clientId) => outbox.has(clientId),
    changed: hooks.changed,
    readAgain: () => void looks.run(() => file.takeQueue()).catch(hooks.cannotLook),
  });
  // What was typed into a conversation that nobody used leaves no trace.
  const keep = (change: Change): void => (claimer.stored ? write(change) : undefined);
  const draft = new DraftKeeper(stored?.draft, keep, clock);
  const file = new FileSync(store, id, stored?.growing, {
    live,
    claimer,
    queue,
    mailbox: hooks.mailbox,
    post: (event) => void hooks.post(event),
    replacing: () => {
      recording.forget();
      context.forget();
      // Another window has run it, perhaps between two looks.
      approvals.endBypass();
    },
    modeRead: (mode) => {
      if (approvals.read(mode)) hooks.changed();
    },
    isSettled: () => save.isSettled,
    rescue: hooks.rescue,
    runWanted: () => jobs.yieldRun(),
  });
  const run = {
    live,
    save,
    claimer,
    file,
    looks,
    mailbox: hooks.mailbox,
    post: hooks.post,
    record: recording.record.bind(recording),
    write,
    create: () => recording.create(),
    measured: (...[meter]: Parameters<ContextGauge['measured']>) => {
      context.measured(meter);
      hooks.changed();
    },
    refused: () => outbox.forgetWish(),
    ended: (...[how]: Parameters<Outbox['goOn']>) => outbox.goOn(how),
  };
  const jobs = new JobRunner(services, run, log);
  const turns = new TurnRunner(services, { workspace, live, claimer, record: run.record, jobs, approvals }, log);
  const outbox: Outbox = new Outbox(
    {
      live,
      queue,
      jobs,
      turns,
      mailbox: hooks.mailbox,
      record: run.record,
      stop: hooks.stop,
      added: () => {
        context.grown();
        hooks.changed();
      },
    },
    clock,
  );
  return { live, context, save, claimer, recording, queue, draft, approvals, looks, file, jobs, turns, outbox };
}
