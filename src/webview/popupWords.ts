import { formatBytesOf, formatNumber, formatRest, formatTokens, formatWindow } from './format';

/** Words of what comes later: the popups, the rows of models that are pulled, what stands in place of a conversation. */
export const popupWords = {
  // The list of models
  list: 'Model',
  at: (host: string) => `Ollama at ${host}`,
  notHere: 'Not on this Ollama',
  remote: 'Remote',
  runsOn: (host: string) => `runs on ${host}`,
  inMemory: 'in memory',
  abilities: { tools: 'tools', thinking: 'thinking', vision: 'images' },
  noTools: 'No tools',
  noChat: 'makes embeddings, cannot chat',
  window: (trained: number) => `${formatWindow(trained)} window`,
  windowOf: (loaded: number, trained: number) => `${formatWindow(loaded)} of ${formatWindow(trained)} window`,

  // What fills the window
  meter: {
    dialog: 'Context',
    lead: (tokens: number, window: number) => `${formatTokens(tokens)} of ${formatTokens(window)} tokens`,
    leadUnknown: (tokens: number) => `${formatTokens(tokens)} tokens`,
    unknown: 'Window not known yet',
    system: 'System and AGENTS.md',
    files: 'Files and tool results',
    history: 'History',
    free: 'Free',
    bar: (system: string, files: string, history: string, free: string | undefined) =>
      `System ${system}, files ${files}, history ${history}${free === undefined ? '' : `, free ${free}`}`,
    loaded: (window: number) => `Ollama has loaded this model with a window of ${formatNumber(window)} tokens`,
    runs: (window: number) => `This model runs with a window of ${formatNumber(window)} tokens`,
    trained: (tokens: number) => `; the model itself can do ${formatNumber(tokens)}`,
    trainedAlone: (tokens: number) => `The model itself can do ${formatNumber(tokens)} tokens.`,
    summarised: 'Older messages are summarised at 80 %.',
    estimated: 'These figures are estimates until Ollama reports its own.',
    compact: 'Compact now',
    change: 'Change window…',
  },

  // Getting a model
  pull: {
    title: 'Pull a model to begin',
    text: (version: string, gigabytes: number | undefined) =>
      `Ollama ${version} answers, but holds no model yet. These can use tools` +
      `${gigabytes === undefined ? '' : ` and fit into ${gigabytes} GB of memory`}.`,
    suggested: 'Suggested models',
    going: 'Models being pulled',
    pull: 'Pull',
    pullName: (model: string) => `Pull ${model}`,
    another: 'Pull another model…',
    cancel: 'Cancel',
    cancelName: (model: string) => `Cancel pulling ${model}`,
    dismissName: (model: string) => `Dismiss ${model}`,
    again: 'Try again',
    progress: (model: string) => `Pulling ${model}`,
    pulling: 'Pulling',
    pullingOf: (completed: number, total: number) => `Pulling · ${formatBytesOf(completed, total)}`,
    pullingAt: (status: string) => `Pulling · ${status}`,
    rate: (bytesPerSecond: number) =>
      bytesPerSecond >= 1e6 ? `${Math.round(bytesPerSecond / 1e6)} MB/s` : `${Math.round(bytesPerSecond / 1e3)} kB/s`,
    left: (ms: number) => `about ${formatRest(ms)} left`,
    kept: 'cancelling keeps what has arrived',
    keptAlone: 'Cancelling keeps what has arrived',
  },

  // Where no server answers
  offers: {
    found: 'Found on the way',
    answers: (host: string, why: string) => [`Ollama answers at `, host, why === '' ? '' : ` (${why})`] as const,
    forward: 'To use the Ollama of the computer you sit at, add this line to its SSH configuration for this host:',
  },

  // What is allowed without asking
  modes: {
    menu: 'Mode',
    means: {
      ask: 'Reads on its own. Asks before every edit and command.',
      auto_edit: 'Edits files in this folder without asking. Asks before commands.',
      bypass:
        'Edits and runs commands in this folder without asking. Still asks outside it, and for settings and hooks. Off again in the next conversation.',
    },
  },
  grants: {
    without: (folder: string | undefined) => `Without asking, in ${folder ?? 'this folder'}`,
    later: 'Change it later',
    settings: 'Open permission settings',
  },

  // Commands
  commands: {
    list: 'Commands',
    none: 'No match',
    choose: 'choose',
    run: 'run',
    close: 'close',
  },
} as const;
