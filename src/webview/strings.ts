import { formatNumber, formatTime } from './format';

/** Every sentence and word that the page shows or speaks. */
export const strings = {
  // The page as a whole
  conversation: 'Conversation',
  noReply: 'The extension did not answer. If this goes on, reload the window.',
  notSent: 'Not sent.',
  notStopped: 'Not stopped.',
  notMoved: 'Not moved.',
  notTakenOut: 'Not taken out of the queue.',
  notTakenOver: 'Not taken over.',
  notForked: 'Not forked.',
  notRetried: 'Not retried.',
  notTried: 'That did not work.',
  notOpened: 'Not opened.',
  notDone: 'That did not work.',
  notLoaded: 'Not loaded.',
  modelNotChosen: 'The model was not changed.',
  notCompacted: 'Not summarised.',
  notPulled: 'Not pulled.',
  notCancelled: 'Not cancelled.',
  reload: 'A part of the panel did not load. Reload the window to have it back.',
  problem: 'Error',
  dismiss: 'Dismiss',
  fork: 'Fork',
  forking: 'Making a fork…',
  replyStarted: 'Reply started',
  replyFinished: 'Reply finished',
  jumpToLatest: (fresh: number) => (fresh === 0 ? 'Jump to latest' : `Jump to latest, ${formatNumber(fresh)} new`),
  jumpCount: (fresh: number) => `${formatNumber(fresh)} new`,

  // Own messages
  own: (at: number, unsaved: boolean) => `You, ${formatTime(at)}${unsaved ? ', not saved yet' : ''}`,
  notSavedYet: 'Not saved yet',
  copyMessage: 'Copy message',
  showAllLines: (lines: number) => `Show all ${formatNumber(lines)} lines`,
  showAll: 'Show all',
  showLess: 'Show less',

  // Answers
  answer: (model: string, at: number, state: string) => `${model}, ${formatTime(at)}, ${state}`,
  unknownModel: 'Model',
  copyAnswer: 'Copy answer',
  retry: 'Retry',
  copied: 'Copied',
  notCopied: 'Not copied',
  copy: 'Copy',
  speed: (tokensPerSecond: number) => `${tokensPerSecond} tok/s`,
  stoppedByYou: (at: number) => `Stopped by you · ${formatTime(at)}`,
  charsLeftOut: (chars: number) => `${formatNumber(chars)} characters more`,

  // Run line
  waiting: 'Waiting for the model',
  loadingModel: (model: string) => `Loading ${model} into memory`,
  waitingTurn: 'Waiting for its turn',
  reading: 'Reading the prompt',
  thinking: 'Thinking',
  writing: 'Writing',
  working: 'Working',
  stopping: 'Stopping',
  retrying: (attempt: number, of: number, reason: string) => `Retrying, ${attempt} of ${of}: ${reason}`,
  compacting: 'Summarising older messages',
  waitsForYou: 'Waits for you',

  // What the host says
  compaction: {
    name: 'Compacted',
    text: 'Older messages are summarised for the model; nothing was deleted.',
    show: 'Show summary',
    hide: 'Hide summary',
  },

  // Thinking
  thinkingLive: 'Thinking…',
  thought: 'Thought',
  thoughtFor: (duration: string) => `Thought for ${duration}`,

  // Unknown parts
  partOfType: 'Part of type',
  keptNotShown: 'kept, not shown',
  unknownPart: (type: string) => `Unknown part: ${type}. Kept, but this version cannot show it`,

  // Code
  code: (language: string) => (language === '' ? 'Code' : `Code, ${language}`),
  plainCode: 'Code',
  copyCode: 'Copy code',
  table: 'Table',
  taskDone: 'Done: ',
  taskOpen: 'To do: ',
  opens: (where: string) => `Opens ${where}`,

  // Tools: the rest is in toolWords.ts
  explored: 'Explored',
  exploredName: (what: string) => `Explored ${what}, done`,
  exploredCounts: (counts: { readonly files: number; folders: number; searches: number; problems: number }) =>
    [
      counted(counts.files, 'file', 'files'),
      counted(counts.folders, 'folder', 'folders'),
      counted(counts.searches, 'search', 'searches'),
      counted(counts.problems, 'problem check', 'problem checks'),
    ]
      .filter((words) => words !== '')
      .join(', '),
  outputOf: (what: string) => `Output of ${what}`,
  argumentsOf: (what: string) => `Arguments of ${what}`,
  copyOutput: 'Copy output',
  noOutput: 'No output',
  leftOutAtEnd: (chars: number) => `${formatNumber(chars)} characters not loaded`,
  leftOutInMiddle: (lines: number) => `${formatNumber(lines)} lines left out in the middle`,
  printed: (size: string) => `${size} printed so far`,
  printedInAll: (size: string) => `${size} printed before it ended`,
  imageRead: (type: string, size: string) =>
    `${type.replace(/^image\//, '').toUpperCase()} image, ${size}. The model sees it.`,
  todo: { list: 'To-do list', done: 'Done: ', doing: 'In progress: ', open: 'To do: ' },
  linesShown: (shown: number, all: number) => `${formatNumber(shown)} of ${formatNumber(all)} lines`,

  // Composer
  composer: 'Message composer',
  message: 'Message',
  send: 'Send message',
  sendHint: 'Send (Enter)',
  queueMessage: 'Queue message',
  queueHint: 'Queue (Enter)',
  stop: 'Stop',
  stopHint: 'Stop (Esc)',
  placeholder: {
    folder: 'Ask about this folder. / runs a command',
    noFolder: 'Ask anything. / runs a command',
    queue: 'Add to the queue',
    image: 'Ask about the image',
    noServer: 'Write now, send when Ollama answers',
    noModel: 'Write now, send when the model is here',
  },
  tooLong: (chars: number, limit: number) =>
    `Too long to send: ${formatNumber(chars)} of ${formatNumber(limit)} characters. Shorten it by ${formatNumber(chars - limit)}.`,

  // Queue
  queue: {
    name: (count: number) => `Queued messages, ${formatNumber(count)}`,
    goesOn: 'Queued, sent when this answer is done',
    held: 'Queued, not sent',
    sendNow: 'Send now',
    sendNowStopping: 'Send now, stopping the answer',
    sendNowStoppingHint: 'Stop and send now',
    edit: (place: number) => `Edit queued message ${place}`,
    editHint: 'Edit',
    remove: (place: number) => `Remove queued message ${place}`,
    removeHint: 'Remove',
    moveHint: (text: string) => `${text}\n\nAlt+↑ and Alt+↓ move it`,
    movedTo: (place: number, count: number) => `Moved to place ${place} of ${count}`,
  },

  // Banners
  notSaved: {
    label: 'Not saved',
    lead: (duration: string) => `Not saved for ${duration}.`,
    text: (waiting: number) =>
      waiting === 1
        ? 'You can go on; 1 message waits to be written.'
        : `You can go on; ${formatNumber(waiting)} messages wait to be written.`,
    retry: 'Retry now',
    why: 'Show why',
    hideWhy: 'Hide why',
    rejected: (count: number) =>
      count === 1 ? '1 change could not be saved.' : `${formatNumber(count)} changes could not be saved.`,
    rejectedText: 'Everything else is saved, and you can go on.',
  },
  elsewhere: {
    label: 'Running in another window',
    lead: 'Running in another window.',
    text: 'You follow it live, read-only. You can write here when it ends.',
    continueHere: 'Continue here',
    takingOver: 'Taking over…',
  },

  // Empty states
  empty: {
    title: (folder: string) => `Ask about ${folder}`,
    noFolderTitle: 'Ask anything',
    here: 'Runs on this computer.',
    on: (host: string) => `Runs on ${host}.`,
    saved: 'Every message is saved as you go.',
    asks: 'Asks before it changes a file or runs a command.',
    noFolder: 'Open a folder to let it read files.',
    startWith: 'Start with',
    starters: [
      { icon: 'book', text: 'Explain how this project is built' },
      { icon: 'beaker', text: 'Find out why a test fails' },
      { icon: 'search', text: 'Find where errors are handled' },
    ],
    noFolderStarters: [
      { icon: 'lightbulb', text: 'Explain an idea step by step' },
      { icon: 'beaker', text: 'Write a small example with a test' },
    ],
    looking: 'Looking for Ollama…',
  },
  noServer: {
    title: 'Ollama does not answer',
    text: (host: string, machine: string | undefined) => {
      const after = '. Your conversations can be read without it.';
      const where = machine === undefined ? after : ` on ${machine}${after}`;
      return ['Holdfast talks to models through Ollama, at ', host, where] as const;
    },
    start: 'Start it, if it is installed',
    install: 'Or install it from',
    elsewhere: 'Or use one on another computer',
    chooseHost: 'Choose host…',
    tryAgain: 'Try again',
    tried: (time: string, seconds: number) => `Tried ${time} · again in ${seconds} s`,
    triedNow: (time: string) => `Tried ${time} · trying again`,
    runInTerminal: 'Run in terminal',
    banner: (host: string) => `Nothing answers at ${host}. You can read on; sending waits until it does.`,
  },
  copyCommand: (command: string) => `Copy command: ${command}`,
} as const;

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${formatNumber(count)} ${count === 1 ? one : many}`;
}
