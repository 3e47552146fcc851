import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECORD_BYTES } from '../base/limits';
import { RecordStream } from './recordStream';
import { ThinkTag, type AnswerPiece } from './thinkTag';
import { readToolCalls } from './toolCall';
import { WellFormedPieces } from './wellFormedPieces';

/** The same text in pieces, cut anywhere. */
function piecesOf(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [...places, text.length].map((place, index) => text.slice(places[index - 1] ?? 0, place));
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });

interface Told {
  readonly thinking: string;
  readonly text: string;
}

function joined(pieces: readonly AnswerPiece[]): Told {
  return pieces.reduce<Told>(
    ({ thinking, text }, piece) => {
      switch (piece.type) {
        case 'thinking':
          return { thinking: thinking + piece.text, text };
        case 'text':
          return { thinking, text: text + piece.text };
        case 'text_was_thinking':
          return { thinking: thinking + text, text: '' };
      }
    },
    { thinking: '', text: '' },
  );
}

function told(pieces: readonly string[]): Told {
  const tag = new ThinkTag();
  return joined([...pieces.flatMap((piece) => tag.push(piece)), ...tag.flush()]);
}

describe('leaked thinking', () => {
  it.each([
    ['Hello', '', 'Hello'],
    ['\n\nHello', '', '\n\nHello'],
    ['<think>a</think>b', 'a', 'b'],
    ['\n<think>\na\n</think>\n\nb </think> <think>c', '\na\n', 'b </think> <think>c'],
    ['<think></think>b', '', 'b'],
    ['</think>\n\nb', '', 'b'],
    ['<think>never ends </thin', 'never ends </thin', ''],
    ['<think', '', '<think'],
    ['<thinking>x', '', '<thinking>x'],
    ['a <think>b</think>', '', 'a <think>b</think>'],
    ['```\n<think>a</think>\n```', '', '```\n<think>a</think>\n```'],
    ['  \n', '', ''],
    ['Let me see.\n</think>\n\nb', 'Let me see.\n', 'b'],
    ['Let me see.</think>b', 'Let me see.', 'b'],
    ['Let me see.</think>', 'Let me see.', ''],
    ['Let me see. </think>\nb </think> c', 'Let me see. ', 'b </think> c'],
    ['Try:\n```\nx\n```\n</think>\nb', 'Try:\n```\nx\n```\n', 'b'],
    ['The tag </think> ends it.\n</think>\n', '', 'The tag </think> ends it.\n</think>\n'],
    ['It ends with "</think>", always.', '', 'It ends with "</think>", always.'],
    ['Write `</think>`\nthen `a</think>`.', '', 'Write `</think>`\nthen `a</think>`.'],
    ['So:\n```\n</think>\n```\nDone.', '', 'So:\n```\n</think>\n```\nDone.'],
    ['a</thin', '', 'a</thin'],
  ])('in %j is told from the answer', (answer, thinking, text) => {
    expect(told([answer])).toEqual({ thinking, text });
    expect(told(answer.split(''))).toEqual({ thinking, text });
  });

  it('is told the same wherever the answer is cut', () => {
    const bit = fc.constantFrom('<think>', '</think>', '<', '</', 'think', '>', ' ', '\n', 'a', '`', '```', '👋');
    const answer = fc.array(bit, { maxLength: 10 }).map((bits) => bits.join(''));
    fc.assert(
      fc.property(answer, cuts, (written, places) => {
        expect(told(piecesOf(written, places))).toEqual(told([written]));
      }),
    );
  });
});

describe('text in pieces', () => {
  it('is well-formed in every piece and the same when joined', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), cuts, (text, places) => {
        const pieces = new WellFormedPieces();
        const out = [...piecesOf(text, places).map((piece) => pieces.push(piece)), pieces.flush()];
        for (const piece of out) expect(piece).not.toMatch(/\p{Cs}/u);
        expect(out.join('')).toBe(text);
      }),
    );
  });
});

describe('a stream of records', () => {
  async function passed(chunks: readonly Uint8Array[]): Promise<{ text: string; records: RecordStream }> {
    const queue = [...chunks];
    const records = new RecordStream({ take: () => Promise.resolve(queue.shift()), close: () => undefined });
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of records.stream) text += decoder.decode(chunk, { stream: true });
    return { text, records };
  }

  it('is the same however its bytes are cut', async () => {
    const lines = ['{"a":"語👋"}', '', 'null', '{"b":1}\r', ' {"error":"no"} ', '{"c":', '{"d":[]}'];
    const bytes = Buffer.from(lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length].sort(
          (a, b) => a - b,
        );
        const { text, records } = await passed(ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)));
        expect(text).toBe('{"a":"語👋"}\n{"b":1}\n{"error":"no"}\n{"d":[]}\n');
        expect(records).toMatchObject({ error: 'no', skipped: 2, tooLong: false });
      }),
      { numRuns: 50 },
    );
  });

  it('gives up at a record without end', async () => {
    const chunk = Buffer.alloc(1_048_576, 'x');
    const count = RECORD_BYTES / chunk.length + 1;
    await expect(passed(Array.from({ length: count }, () => chunk))).rejects.toThrow();
  });
});

describe('the arguments of a call', () => {
  function argumentsOf(written: unknown): unknown {
    const [call] = readToolCalls([{ id: 'c', function: { name: 'f', arguments: written } }]);
    return call!.malformed === undefined ? call!.arguments : 'malformed';
  }

  it('are never nested without end', () => {
    const deep = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
    expect(argumentsOf(JSON.parse(deep))).toBe('malformed');
    expect(argumentsOf(deep)).toBe('malformed');
    expect(argumentsOf({ a: [{ b: [1] }] })).toEqual({ a: [{ b: [1] }] });
  });

  it('are well-formed to their last key', () => {
    expect(argumentsOf({ 'k\ud83d': [{ v: 'x\udc4b' }, 7, null, true] })).toEqual({
      'k\uFFFD': [{ v: 'x\uFFFD' }, 7, null, true],
    });
  });

  it('cannot reach the prototype of anything', () => {
    const read = argumentsOf('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    expect(read['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['x', 'malformed'],
    ['7', 'malformed'],
    [7, 'malformed'],
    [true, 'malformed'],
    ['null', {}],
    [undefined, {}],
    ['  ', {}],
  ])('written as %j are %j', (written, expected) => {
    expect(argumentsOf(written)).toEqual(expected);
  });

  it('may be many', () => {
    const many = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`k${index}`, index]));
    expect(JSON.stringify(argumentsOf({ many })).length).toBe(JSON.stringify({ many }).length);
  });
});
