import type { ToolDefinition } from '../../../src/extension/ollama/modelClient';
import type { TurnInput } from '../../../src/extension/agent/turn';
import { systemClock } from '../../../src/extension/base/clock';
import { silentLog } from '../../../src/extension/base/log';
import { OllamaClient } from '../../../src/extension/ollama/ollamaClient';
import type { ConversationId } from '../../../src/protocol/ids';
import type { Message } from '../../../src/protocol/message';
import type { ContextMeter, RunStep } from '../../../src/protocol/status';
import { fold, type Transcript } from '../../../src/protocol/transcript';
import { testSettings } from '../windows/turnSettings';

/** What a test says of a turn instead of the usual. `definitions`: the tools that are offered. */
export interface TurnSpecial extends Partial<Omit<TurnInput, 'recorder'>> {
  readonly definitions?: readonly ToolDefinition[];
  readonly serverUrl?: string;
}

/** A turn over a transcript in memory, with what became of it. */
export interface TestTurn extends TurnInput {
  readonly recorder: TurnInput['recorder'] & {
    readonly steps: readonly RunStep[];
    readonly meters: readonly ContextMeter[];
  };
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
    ...rest,
    recorder: recorderOf(messages),
  };
}

function recorderOf(messages: readonly Message[]): TestTurn['recorder'] {
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ConversationId;
  let transcript: Transcript = {
    conversation: { id, kind: 'chat', title: '', createdAt: 0 },
    messages,
    hasOlder: false,
  };
  const steps: RunStep[] = [];
  const meters: ContextMeter[] = [];
  return {
    steps,
    meters,
    get transcript() {
      return transcript;
    },
    record: (event) => {
      const folded = fold(transcript, event);
      if (!folded.ok) throw new Error(`${event.type} does not follow`);
      transcript = folded.transcript;
    },
    gate: () => Promise.resolve(),
    at: (step) => steps.push(step),
    context: (meter) => meters.push(meter),
  };
}
