import { describe, expect, it } from 'vitest';
import { plain } from './plain';

describe('A text that leave is given to', () => {
  it.each([
    ['npm test\n\techo "ä — 数据 👩‍💻 می‌خواهم"', 'npm test\n\techo "ä — 数据 👩‍💻 می‌خواهم"'],
    ['rm\u202e x', 'rm\\u{202e} x'],
    ['a\rb\r\nc', 'a\\u{d}b\nc'],
    ['exa\u200dmple.com\u{e0041}', 'exa\\u{200d}mple.com\\u{e0041}'],
    ['rm\u00a0-rf\u2003x', 'rm\\u{a0}-rf\\u{2003}x'],
    ['a\u3164=1\u115f\u2800', 'a\\u{3164}=1\\u{115f}\\u{2800}'],
    ['ok\ufe0f\u{e0100}\u034f', 'ok\\u{fe0f}\\u{e0100}\\u{34f}'],
    ['é\u200d\u200c\u200d', 'é\u200d\\u{200c}\\u{200d}'],
    ['\u3000数据\u3000❤\ufe0f ls\u3000x', '\u3000数据\u3000❤\ufe0f ls\\u{3000}x'],
    ['\u2764\ufe0f\u200d\u{1f525}', '\u2764\ufe0f\u200d\u{1f525}'],
    ['\u001b[8mhidden', '\\u{1b}[8mhidden'],
  ])('writes out what would not be seen: %j', (text, shown) => {
    expect(plain(text)).toBe(shown);
  });
});
