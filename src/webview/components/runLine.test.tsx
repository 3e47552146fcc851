// @vitest-environment happy-dom
import { screen } from '@testing-library/preact';
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../protocol/status';
import { status, userMessage } from '../testing/build';
import { openPage } from '../testing/page';

const AT = { startedAt: Date.now() };

const WORDS: readonly (readonly [Exclude<RunState, { kind: 'idle' }>, string])[] = [
  [{ kind: 'waiting', ...AT }, 'Waiting for the model'],
  [{ kind: 'waiting', phase: 'queued', ...AT }, 'Waiting for its turn'],
  [{ kind: 'waiting', phase: 'loading', ...AT }, 'Loading qwen3:14b into memory'],
  [{ kind: 'waiting', phase: 'reading', ...AT }, 'Reading the prompt'],
  [{ kind: 'thinking', ...AT }, 'Thinking'],
  [{ kind: 'writing', ...AT }, 'Writing'],
  [{ kind: 'tools', ...AT }, 'Working'],
  [{ kind: 'retrying', attempt: 2, of: 3, reason: 'busy', ...AT }, 'Retrying, 2 of 3: Ollama is busy'],
  [{ kind: 'compacting', ...AT }, 'Summarising older messages'],
  [{ kind: 'awaiting_approval', ...AT }, 'Waits for you'],
  [{ kind: 'stopping', ...AT }, 'Stopping'],
];

describe('The run line', () => {
  it.each(WORDS)('for %j says %j', async (run, words) => {
    await openPage().show([userMessage(1, 'hi')], { status: status({ run }) });
    expect(screen.getByText(words)).toBeTruthy();
    expect(screen.getByText(/^0:0\d$/)).toBeTruthy();
  });
});
