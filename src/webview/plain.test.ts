import { describe, expect, it } from 'vitest';
import { plain } from './plain';

describe('A text that leave is given to', () => {
  it.each([
    ['npm test\n\techo "ä — 数据 👩‍💻 می‌خواهم"', 'npm test\n\techo "ä — 数据 👩‍💻 می‌خواهم"'],
    ['rm\u202e x', 'rm\\u{202e} x'],
    ['a\rb\r\nc', 'a\\u{d}b\nc'],
    ['exa\u200dmple.com\u{e0041}', 'exa\\u{200d}mple.com\\u{e0041}'],
    ['\u001b[8mhidden', '\\u{1b}[8mhidden'],
  ])('writes out what would not be seen: %j', (text, shown) => {
    expect(plain(text)).toBe(shown);
  });
});
