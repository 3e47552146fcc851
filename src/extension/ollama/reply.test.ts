import { describe, expect, it } from 'vitest';
import { raw, say } from '../../../test/support/ollama/chatStep';
import { textOf, useClientBench } from '../../../test/support/ollama/clientBench';

const bench = useClientBench();

describe('a reply', () => {
  it('may think and speak in one record', async () => {
    const events = await bench.play({ content: 'Hi', thinking: 'greet' });
    expect(events.slice(0, -1)).toEqual([
      { type: 'thinking', text: 'greet' },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('joins a character whose halves come in two records', async () => {
    const events = await bench.play(
      raw('{"message":{"content":"a\\ud83d"}}\n'),
      raw('{"message":{"content":"\\udc4b"}}\n'),
      raw('{"message":{"content":"b\\udc4bc\\ud83d"}}\n'),
    );
    expect(textOf(events)).toBe('a👋b\uFFFDc\uFFFD');
    expect(events[0]).toEqual({ type: 'text', text: 'a' });
  });

  it('tells leaked thinking from the answer', async () => {
    const events = await bench.play(say('<th', 'ink>let me', ' see</thi', 'nk>\n\nIt is <think>.'));
    expect(textOf(events, 'thinking')).toBe('let me see');
    expect(textOf(events)).toBe('It is <think>.');
  });
});
