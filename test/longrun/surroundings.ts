import { systemPrompt } from '../../src/extension/agent/systemPrompt';

/** What every request of a long run holds beside the conversation. */
export const SYSTEM_PROMPT = systemPrompt({ folder: 'work', reads: true, background: true });
export const BACKGROUND = '<background>\nAGENTS.md of the folder: answer in short sentences. 🏷\n</background>';
