import type { TurnSettings } from '../../../src/extension/conversations/liveServices';
import { answered, refused } from '../../../src/extension/tools/tool';
import type { ModelClient } from '../../../src/extension/ollama/modelClient';

/** What a turn of a test needs beside its conversation: no tools, a large window, and what `special` says instead. */
export function testSettings(client: ModelClient, special: Partial<TurnSettings> = {}): TurnSettings {
  return {
    client,
    systemPrompt: 'You are a test.',
    background: '',
    // Room for every answer: the server ends one where the window is full.
    contextLength: 131_072,
    vision: false,
    tools: {
      definitions: [],
      plan: (name) => Promise.resolve(answered(refused(`There is no tool ${name}.`, 'no tools'))),
      malformed: (name) => refused(`There is no tool ${name}.`, 'no tools'),
    },
    ...special,
  };
}
