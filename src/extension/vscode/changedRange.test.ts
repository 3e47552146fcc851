import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedRange, withLineEnds } from './changedRange';

const text = fc
  .array(fc.constantFrom('a', 'b', '\r', '\n', '\r\n', '😀', '😁', '\ud83d'), { maxLength: 12 })
  .map((all) => all.join(''));

describe('what an editor is told to replace', () => {
  it('makes the one text of the other, and is no longer than it must be', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { start, end, text: put } = changedRange(before, after);
        expect(before.slice(0, start) + put + before.slice(end)).toBe(after);
      }),
    );
    expect(changedRange('one two three', 'one 2 three')).toEqual({ start: 4, end: 7, text: '2' });
    expect(changedRange('aa', 'aaa')).toEqual({ start: 2, end: 2, text: 'a' });
    expect(changedRange('same', 'same')).toMatchObject({ text: '' });
  });

  it('never begins or ends within a character or a line end of two units', () => {
    expect(changedRange('😀', '😁')).toEqual({ start: 0, end: 2, text: '😁' });
    expect(changedRange('a\r\nb', 'a\rb')).toEqual({ start: 1, end: 3, text: '\r' });
  });

  it('has one kind of line end, as a document has', () => {
    expect(withLineEnds('a\rb\r\nc\nd', '\n')).toBe('a\nb\nc\nd');
    expect(withLineEnds('a\rb\r\nc\nd', '\r\n')).toBe('a\r\nb\r\nc\r\nd');
  });
});
