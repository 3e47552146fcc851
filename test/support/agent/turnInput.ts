import type { ToolDefinition } from '../../../src/extension/ollama/modelClient';
import type { TurnInput } from '../../../src/extension/agent/turn';
import { systemClock } from '../../../src/extension/base/clock';
import { silentLog } from '../../../src/extension/base/log';
import { OllamaClient } from '../../../src/extension/ollama/ollamaClient';
import type { Message } from '../../../src/protocol/message';
import { FoldedRecorder } from './foldedRecorder';
import { ALL_ALLOWED } from './leave';
import { testSettings } from '../windows/turnSettings';

/** What a test says of a turn instead of the usual. `definitions`: the tools that are offered. */
export interface TurnSpecial extends Partial<Omit<TurnInput, 'recorder'>> {
  readonly definitions?: readonly ToolDefinition[];
  readonly serverUrl?: string;
}

/** A turn over a transcript in memory, with what became of it. */
export interface TestTurn extends TurnInput {
  readonly recorder: FoldedRecorder;
}

/** A turn in a conversation that consists of `messages`; everything it records is folded in memory only. */
export function turnInput(messages: readonly Message[], special: TurnSpecial = {}): TestTurn {
  const { definitions = [], serverUrl = 'http://127.0.0.1:9', ...rest } = special;
  const settings = testSettings(new OllamaClient(serverUrl, systemClock, silentLog));
  return {
    ...settings,
    tools: { ...settings.tools, definitions },
    clock: systemClock,
    model: 'm',
    leave: ALL_ALLOWED,
    ...rest,
    recorder: new FoldedRecorder(messages),
  };
}
