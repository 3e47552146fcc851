import { describe, expect, it } from 'vitest';
import { callTool, callTools, raw, say } from '../../../test/support/ollama/chatStep';
import { callsOf, useClientBench } from '../../../test/support/ollama/clientBench';

const bench = useClientBench();

describe('a tool call', () => {
  it('comes with others, in their order, whatever their ids', async () => {
    const events = await bench.play(
      callTools([
        { name: 'a', arguments: {}, id: 'same', index: 0 },
        { name: 'b', arguments: {}, id: 'same', index: 0 },
      ]),
      callTool('c', {}, { id: 'same' }),
      say('and on'),
    );
    expect(callsOf(events)).toEqual(['a', 'b', 'c'].map((name) => ({ id: 'same', name, arguments: {} })));
  });

  it('gets an id where it has none', async () => {
    bench.server.version = '0.11.0';
    const calls = callsOf(await bench.play(callTool('a'), callTool('b')));
    expect(calls.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^call_\w{8}$/),
      expect.stringMatching(/^call_\w{8}$/),
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it('survives what proxies make of its arguments', async () => {
    const events = await bench.play(
      callTool('a', '{"path":"a.ts"}'),
      callTool('b', JSON.stringify('{"path":"b.ts"}')),
      callTool('c', null),
      callTool('d', ''),
      callTool('e', '{"path": "e'),
      callTool('f', ['f.ts']),
    );
    expect(callsOf(events)).toMatchObject([
      { name: 'a', arguments: { path: 'a.ts' } },
      { name: 'b', arguments: { path: 'b.ts' } },
      { name: 'c', arguments: {} },
      { name: 'd', arguments: {} },
      { name: 'e', arguments: {}, malformed: '{"path": "e' },
      { name: 'f', arguments: {}, malformed: '["f.ts"]' },
    ]);
  });

  it('without a function has no name', async () => {
    const events = await bench.play(raw('{"message":{"content":"","tool_calls":[{},null,{"function":{"name":7}}]}}\n'));
    expect(callsOf(events)).toMatchObject([{ name: '' }, { name: '' }, { name: '' }]);
  });
});
