import { formatPercent, formatTokens } from './format';

/** Words about models and their server that the page needs from the start; the rest is in popupWords.ts. */
export const modelWords = {
  // The button that names the model
  button: (model: string | undefined) => `Model: ${model ?? 'none'}`,
  missing: (model: string) => `${model} is not on this Ollama`,
  none: 'No model',

  // The window and what fills it
  meter: {
    name: (tokens: number, window: number) =>
      `Context: ${formatTokens(tokens)} of ${formatTokens(window)} tokens, ${formatPercent(tokens / window)}`,
    nameUnknown: (tokens: number) => `Context: ${formatTokens(tokens)} tokens. Window not known yet`,
    compactRunning: 'Not while an answer is being written',
  },

  // Getting one
  pullModel: 'Pull a model…',
  pulled: (model: string) => `${model} is there`,
  notPulled: (model: string, why: string) => `${model} was not pulled. ${why}`,
  noModels: {
    label: 'Ollama holds no model',
    lead: 'Ollama holds no model.',
    text: 'You can read on; sending waits until one is pulled.',
  },

  use: (host: string) => `Use ${host}`,

  // Images
  images: {
    list: 'Attachments',
    add: 'Add image',
    remove: (name: string) => `Remove ${name}`,
    pasted: 'Pasted image',
    blind: (model: string) => `${model} cannot see images. Choose a model with vision.`,
    blindWaits: (model: string) => `${model} cannot see images. Remove them, or choose a model with vision.`,
    wrongType: (name: string) => `${name} is not a PNG, JPEG or WebP image.`,
    tooLarge: (name: string, megabytes: number) => `${name} is larger than ${megabytes} MB.`,
    tooMany: (count: number) => `At most ${count} images go with one message.`,
    unreadable: (name: string) => `${name} could not be read.`,
  },

  // Commands
  commands: {
    compact: 'Summarise older messages',
    new: 'New conversation',
    resume: 'Open an earlier conversation',
    model: 'Choose the model',
  },
} as const;
