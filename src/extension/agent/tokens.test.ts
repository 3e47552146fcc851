import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { cl100k } from '../../../test/support/ollama/cl100k';
import { o200k } from '../../../test/support/ollama/tokenizer';
import { CHINESE, JAPANESE, projectText, RUSSIAN } from '../../../test/support/tokens/sampleTexts';
import { splitTokens, TOKEN_CLASSES, type TokenSplit } from './tokenPieces';
import { learntRatios, type Counted } from './tokenRatios';
import { estimateMessage, estimateTokens, estimateTools } from './tokens';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((codes) => String.fromCharCode(...codes)),
);

function sum(split: TokenSplit): number {
  return TOKEN_CLASSES.reduce((total, name) => total + split[name], 0);
}

describe('The estimate of a text', () => {
  it.each([
    ['TypeScript', projectText('src/extension/storage/writing/writer.ts')],
    ['a component', projectText('src/webview/components/runLine.tsx')],
    ['English', projectText('docs/storage.md')],
    ['JSON', projectText('package.json')],
    ['Chinese', CHINESE],
  ])('is within 8 per cent of what the vocabulary of gpt-oss takes: %s', (_kind, text) => {
    expect(Math.abs(estimateTokens(text) / o200k(text) - 1)).toBeLessThanOrEqual(0.08);
  });

  it.each([
    ['TypeScript', projectText('src/extension/storage/writing/writer.ts')],
    ['English', projectText('docs/storage.md')],
  ])('is within 8 per cent for an older vocabulary as well: %s', (_kind, text) => {
    expect(Math.abs(estimateTokens(text) / cl100k(text) - 1)).toBeLessThanOrEqual(0.08);
  });

  it.each([
    ['Russian', RUSSIAN],
    ['Japanese', JAPANESE],
  ])('is within a quarter for scripts that vocabularies differ in: %s', (_kind, text) => {
    expect(Math.abs(estimateTokens(text) / o200k(text) - 1)).toBeLessThanOrEqual(0.25);
  });

  it('is a number between nothing and four tokens for each character, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = sum(splitTokens(text));
        expect(tokens).toBeGreaterThanOrEqual(0);
        expect(tokens).toBeLessThanOrEqual(4 * text.length);
        expect(tokens > 0).toBe(text !== '');
      }),
    );
  });

  it('of two texts together is about that of each: only the piece at the border may change', () => {
    const words = fc.string({
      unit: fc.constantFrom('a', 'Z', ' ', '\n', '1', '.', '数', 'ы', '\ud83d'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const apart = sum(splitTokens(a)) + sum(splitTokens(b));
        // The longest run that can be cut in two is as long as the texts.
        expect(Math.abs(sum(splitTokens(`${a} ${b}`)) - apart)).toBeLessThanOrEqual(4 + 0.4 * (a.length + b.length));
      }),
    );
  });

  it('of a text many times over grows as the text does', () => {
    for (const text of [CHINESE, projectText('src/protocol/part.ts'), '\ud83d', '=-']) {
      const one = sum(splitTokens(text.repeat(10)));
      expect(sum(splitTokens(text.repeat(1_000))) / one).toBeCloseTo(100, -1);
    }
  });

  it('looks at each character a bounded number of times, also on one line of a megabyte', () => {
    for (const unit of ['a', ' ', '\n', '.', '数', '\ud83d', 'aB', ' .', '9']) {
      const charCodeAt = vi.spyOn(String.prototype, 'charCodeAt');
      splitTokens(unit.repeat(1_000));
      const looks = charCodeAt.mock.calls.length;
      charCodeAt.mockRestore();
      expect(looks).toBeGreaterThan(0);
      expect(looks).toBeLessThanOrEqual(8 * 1_000 * unit.length + 16);
    }
    expect(estimateTokens('x'.repeat(1_000_000))).toBeGreaterThan(100_000);
  });

  it('of a request counts calls, thinking, images and tools', () => {
    const plain = estimateMessage({ role: 'assistant', content: 'Yes.' });
    const call = { id: 'c', name: 'read_file', arguments: { path: 'src/a.ts' } };
    expect(estimateMessage({ role: 'assistant', content: 'Yes.', toolCalls: [call] })).toBeGreaterThan(plain + 10);
    expect(estimateMessage({ role: 'assistant', content: 'Yes.', thinking: 'Is it so?' })).toBeGreaterThan(plain + 5);
    expect(estimateMessage({ role: 'user', content: 'Yes.', images: ['AA=='] })).toBeGreaterThanOrEqual(plain + 768);
    expect(estimateTools([])).toBe(0);
  });
});

describe('What is learnt of a vocabulary', () => {
  const text = (split: Partial<TokenSplit>, tokens: number): Counted => ({
    split: { words: 0, marks: 0, digits: 0, cjk: 0, other: 0, frame: 0, ...split },
    tokens,
  });

  it('is nothing at first', () => {
    expect(Object.values(learntRatios([]))).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('is of the scripts that were counted, and leaves the others alone', () => {
    const { cjk, other } = learntRatios([text({ cjk: 1_000 }, 1_500)]);
    expect(cjk).toBeCloseTo(1.5, 1);
    expect(other).toBe(1);
  });

  it('tells scripts apart that were counted together in different shares', () => {
    const { words, cjk } = learntRatios([
      text({ words: 1_000, cjk: 500 }, 1_750),
      text({ words: 200, cjk: 1_000 }, 1_700),
    ]);
    expect(words).toBeCloseTo(1, 1);
    expect(cjk).toBeCloseTo(1.5, 1);
  });

  it('is bounded, whatever the server reports', () => {
    const amount = fc.double({ min: 0, max: 100_000, noNaN: true });
    const counted = fc.array(fc.record({ cjk: amount, words: amount, tokens: fc.nat(1_000_000) }), { maxLength: 30 });
    fc.assert(
      fc.property(counted, (all) => {
        const ratios = learntRatios(all.map(({ tokens, ...split }) => text(split, tokens)));
        for (const ratio of Object.values(ratios)) {
          expect(ratio).toBeGreaterThanOrEqual(0.4);
          expect(ratio).toBeLessThanOrEqual(3);
        }
      }),
    );
  });
});
