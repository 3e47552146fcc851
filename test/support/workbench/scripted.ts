import { OllamaServer } from '../ollama/ollamaServer';
import { test as base } from './fixtures';

export { expect } from '@playwright/test';

/** The model that the scripted server has. */
export const MODEL = 'scripted:1b';

/** Playwright's `test` with a VS Code of its own and a server of models whose answers the test writes. */
export const test = base.extend<{ readonly ollama: OllamaServer }>({
  ollama: async ({}, use) => {
    const ollama = await OllamaServer.start({
      models: [{ name: MODEL, capabilities: ['completion', 'tools', 'thinking'] }],
    });
    await use(ollama);
    await ollama.close();
  },

  ollamaHost: async ({ ollama }, use) => use(ollama.host),
});
