import { formatNumber, formatTime } from './format';

/** Every sentence and word that the page shows or speaks. */
export const strings = {
  // The page as a whole
  conversation: 'Conversation',
  noReply: 'The extension did not answer. If this goes on, reload the window.',
  notSent: 'Not sent.',
  notStopped: 'Not stopped.',
  notTakenOut: 'Not taken out of the queue.',
  notTakenOver: 'Not taken over.',
  notForked: 'Not forked.',
  notRetried: 'Not retried.',
  notTried: 'That did not work.',
  notOpened: 'Not opened.',
  notDone: 'That did not work.',
  notLoaded: 'Not loaded.',
  modelNotChosen: 'The model was not changed.',
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
  thinking: 'Thinking',
  writing: 'Writing',
  working: 'Working',
  stopping: 'Stopping',
  retrying: (attempt: number, of: number) => `Retrying, ${attempt} of ${of}`,
  compacting: 'Summarising older messages',
  waitsForYou: 'Waits for you',

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
  exploredCounts: (files: number, folders: number, searches: number) =>
    [counted(files, 'file', 'files'), counted(folders, 'folder', 'folders'), counted(searches, 'search', 'searches')]
      .filter((words) => words !== '')
      .join(', '),
  outputOf: (what: string) => `Output of ${what}`,
  argumentsOf: (what: string) => `Arguments of ${what}`,
  copyOutput: 'Copy output',
  noOutput: 'No output',
  leftOutAtEnd: (chars: number) => `${formatNumber(chars)} characters not loaded`,
  linesShown: (shown: number, all: number) => `${formatNumber(shown)} of ${formatNumber(all)} lines`,

  // How an answer ended
  cutOff: {
    group: 'Answer cut off',
    lead: 'The answer was cut off.',
    text: (tokens: number | undefined) =>
      `Ollama closed the connection${tokens === undefined ? '' : ` after ${formatNumber(tokens)} tokens`}. ` +
      'What arrived is kept.',
    advice: 'Retry, or just write on.',
  },
  length: {
    group: 'Answer cut off',
    lead: 'The answer reached its limit of length.',
    text: 'The model stopped in the middle. What arrived is kept.',
    advice: 'Ask it to go on, or retry.',
  },
  interrupted: {
    group: 'Interrupted',
    lead: (at: number) => `Interrupted at ${formatTime(at)}.`,
    writing: 'VS Code closed while the model was writing. What arrived is kept.',
    tool: 'VS Code closed while a tool ran. Its result is unknown; nothing was run again.',
    advice: 'Retry, or just write on.',
    takenOver: 'Another window took this run over.',
    forked: 'It was forked while the model was writing; the answer goes on in the other conversation.',
  },
  modelNotFound: {
    group: 'Model not found',
    lead: (model: string) => `${model} is not on this Ollama.`,
    text: 'It may have been removed. Your message is saved and not yet answered.',
    choose: 'Choose another model',
  },
  unreachable: {
    group: 'Ollama does not answer',
    lead: 'Ollama does not answer.',
    text: (host: string) => `Nothing answered at ${host}. Your message is saved and not yet answered.`,
  },
  serverError: {
    group: 'Server error',
    lead: 'Ollama reported an error.',
    text: 'The model could not go on. What arrived is kept, and your message is saved.',
  },
  emptyAnswer: {
    group: 'Empty answer',
    lead: 'The model answered nothing.',
    text: 'Your message is saved.',
    advice: 'Retry, or ask in other words.',
  },
  stepLimit: {
    group: 'Stopped at a limit',
    lead: 'Stopped: limit of steps reached.',
    text: 'All results are kept.',
    advice: 'Write on to let it continue.',
  },
  internal: {
    group: 'Internal error',
    lead: 'Something failed inside Holdfast.',
    text: 'What arrived is kept, and your message is saved.',
    showLog: 'Show log',
  },
  details: 'Details',
  hideDetails: 'Hide details',

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
    folder: 'Ask about this folder',
    noFolder: 'Ask anything',
    queue: 'Add to the queue',
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
  },

  // Model picker
  modelButton: (model: string | undefined) => `Model: ${model ?? 'none'}`,
  modelMissing: (model: string) => `${model} is not on this Ollama`,
  noModel: 'No model',
  models: 'Model',
  ollamaAt: (host: string) => `Ollama at ${host}`,
  notHere: 'Not on this Ollama',
  remote: 'Remote',
  runsOn: (host: string) => `runs on ${host}`,

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
  noModels: {
    title: 'Pull a model to begin',
    text: (version: string) =>
      `Ollama ${version} answers, but holds no model yet. These can use tools; run one of the commands in a terminal.`,
    suggested: 'Suggested models',
    banner: 'Ollama holds no model',
    bannerLead: 'Ollama holds no model.',
    bannerText: 'You can read on; sending waits until one is pulled.',
  },
  copyCommand: (command: string) => `Copy command: ${command}`,
} as const;

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${formatNumber(count)} ${count === 1 ? one : many}`;
}
