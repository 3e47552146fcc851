import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../../test/support/ollama/bodyChecks';
import type { Message } from '../../protocol/message';
import type { Part } from '../../protocol/part';
import { FIT_SHARE } from '../base/limits';
import { toWireRequest } from '../ollama/chatWire';
import { turnInput } from '../../../test/support/agent/turnInput';
import { answered, calling, compacted, question } from '../../../test/support/agent/messages';
import { prepareRequest, type PreparedRequest } from './request';

const SYSTEM = 'You are a test.';

function prepared(messages: readonly Message[], special: Parameters<typeof turnInput>[1] = {}): PreparedRequest {
  return prepareRequest(turnInput(messages, { systemPrompt: SYSTEM, ...special }));
}

function contents({ request }: PreparedRequest): readonly string[] {
  return request.messages.map((message) => message.content);
}

describe('a request', () => {
  it('begins with the system prompt and ends with what is to be answered', () => {
    const request = prepared([question(1, 'a'), answered(2, 'b'), question(3, 'c')]);
    expect(contents(request)).toEqual([SYSTEM, 'a', 'b', 'c']);
    expect(request.fits).toBe(true);
  });

  it('puts what the folder has to say, and the summary, before the first words of the person', () => {
    const messages = [question(1, 'a'), answered(2, 'b'), question(3, 'c'), compacted(4, 2, 'They said a and b.')];
    const [, first, ...more] = contents(prepared(messages, { background: '<agents_md>Use tabs.</agents_md>' }));
    expect(first).toBe(
      '<agents_md>Use tabs.</agents_md>\n\n<earlier_summary>\nThey said a and b.\n</earlier_summary>\n\nc',
    );
    expect(more).toEqual([]);
  });

  it('gives a hint last, within the last words of the person where those are last', () => {
    const hinted = (messages: readonly Message[]): readonly string[] =>
      contents(prepareRequest(turnInput(messages, { systemPrompt: SYSTEM }), { hint: 'Be brief.' }));
    expect(hinted([question(1, 'a')])).toEqual([SYSTEM, 'a\n\nBe brief.']);
    expect(hinted([question(1, 'a'), calling(2, 'x')]).slice(-2)).toEqual(['x', 'Be brief.']);
  });

  it('keeps the images of a question that got no answer beside those of the next one', () => {
    const seen = (seq: number, data: string): Message => {
      const image: Part = { type: 'attachment', kind: 'image', name: 'a.png', mediaType: 'image/png', bytes: 3, data };
      return { ...question(seq, `q${seq}`), parts: [{ type: 'text', text: `q${seq}` }, image] };
    };
    const failed: Message = { ...answered(2, ''), status: 'error', reason: 'unreachable', parts: [] };
    const messages = [seen(1, 'AAAA'), failed, seen(3, 'BBBB')];
    expect(prepared(messages, { vision: true }).request.messages.slice(1)).toEqual([
      { role: 'user', content: 'q1\n\nq3', images: ['AAAA', 'BBBB'] },
    ]);
  });

  it('can be made without tools and without thinking', () => {
    const tools = [{ name: 'read_file', description: '', parameters: {} }];
    const input = turnInput([question(1, 'a')], { think: true, definitions: tools });
    expect(prepareRequest(input).request).toMatchObject({ tools, think: true });
    expect(prepareRequest(input, { withoutTools: true, withoutThinking: true }).request).toMatchObject({
      tools: [],
      think: false,
    });
    const levels = turnInput([question(1, 'a')], { think: 'high' });
    expect(prepareRequest(levels, { withoutThinking: true }).request.think).toBe(false);
  });

  it('leaves out results of older turns first, then older turns, and says so', () => {
    const long = 'word '.repeat(1_500);
    const turn = (seq: number, name: string): readonly Message[] => [
      question(seq, name),
      calling(seq + 1, long),
      answered(seq + 2, `${name} done`),
    ];
    const turns = [1, 4, 7, 10, 13].flatMap((seq) => turn(seq, `q${seq}`));
    const some = contents(prepared([...turns, question(16, 'last')], { contextLength: 2_600 }));
    expect(some.filter((content) => content.startsWith('q') && !content.endsWith('done'))).toHaveLength(5);
    const results = some.filter((content) => /^word|^\(This result was left out to save room/.test(content));
    expect(results[0]).toContain('left out to save room');
    expect(results.at(-1)).toMatch(/^word/);
    const many = Array.from({ length: 60 }, (_, index) => [
      question(index * 2 + 1, `q${index} ${'word '.repeat(40)}`),
      answered(index * 2 + 2, 'a'),
    ]).flat();
    const fewer = prepared([...many, question(200, 'last')], { contextLength: 2_048 });
    expect(contents(fewer)[1]).toMatch(/^\(Earlier messages are left out here[^]*\n\nq\d+ /);
    expect(contents(fewer).at(-1)).toBe('last');
    expect(fewer.fits).toBe(true);
  });

  it('says so, too, when older messages are not in memory and no summary stands for them', () => {
    const partly = (messages: readonly Message[]): string => {
      const input = turnInput(messages, { systemPrompt: SYSTEM });
      const { recorder } = input;
      const transcript = { ...recorder.transcript, hasOlder: true };
      const nothing = (): undefined => undefined;
      const loaded = { transcript, record: nothing, keep: nothing, gate: () => recorder.gate() };
      const { request } = prepareRequest({ ...input, recorder: { ...loaded, at: nothing, context: nothing } });
      return request.messages[1]?.content ?? '';
    };
    expect(partly([question(7, 'a')])).toMatch(/^\(Earlier messages are left out here[^]*\n\na$/);
    expect(partly([question(7, 'a'), answered(8, 'b'), question(9, 'c'), compacted(10, 8, 'All.')])).toMatch(
      /^<earlier/,
    );
  });

  it('says when the last message of the person is too long for the window, whatever is left out', () => {
    expect(prepared([question(1, 'word '.repeat(5_000))], { contextLength: 2_048 }).fits).toBe(false);
  });

  it('is valid and fits for every conversation and window, with the person’s last message word by word', () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.constant('word '.repeat(900)),
      fc.constant('half \ud83c'),
    );
    const parts = fc.array(
      fc.oneof(
        words.map((text): Part => ({ type: 'text', text })),
        words.map((text): Part => ({ type: 'thinking', text, startedAt: 0 })),
        fc
          .tuple(words, fc.constantFrom('done', 'error', 'running', 'expired', 'pending'))
          .map(([content, state]): Part => {
            const result = state === 'done' || state === 'error' ? { result: { content } } : {};
            return { type: 'tool', name: 'read_file', arguments: { path: 'a' }, state, ...result };
          }),
      ),
      { maxLength: 4 },
    );
    const drawn = fc.array(
      fc.tuple(
        fc.constantFrom('user', 'answer', 'answer', 'notice'),
        parts,
        fc.constantFrom('done', 'aborted', 'error'),
      ),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(drawn, fc.integer({ min: 1_024, max: 16_000 }), (messages, contextLength) => {
        const transcript = messages.map(([kind, its, status], index): Message => {
          const seq = index + 1;
          if (kind === 'user') return question(seq, `q${seq}`);
          if (kind === 'notice') return compacted(seq, Math.floor(index / 2), 'A summary.');
          return { ...answered(seq, ''), status, parts: its };
        });
        const asked = [...transcript, question(transcript.length + 1, 'The question.')];
        const { request, estimatedTokens, fits } = prepared(asked, { contextLength });
        expect(faultsOf(toWireRequest(request), { system: SYSTEM, question: 'The question.' })).toEqual([]);
        expect(fits).toBe(true);
        expect(estimatedTokens).toBeLessThanOrEqual(contextLength * FIT_SHARE);
      }),
      { numRuns: 400 },
    );
  });
});
