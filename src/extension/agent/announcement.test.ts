import { describe, expect, it } from 'vitest';
import { isAnnouncement } from './announcement';

describe('an answer', () => {
  it.each([
    'I will now read a.ts.',
    "I'll read the file.",
    'Let me check the configuration:',
    'The test fails in line 3. Let me look at the file…',
    "Okay, first I'm going to search for the function.",
    'Now let’s start. Next, I will list the files',
  ])('announces an action: %s', (text) => {
    expect(isAnnouncement(text)).toBe(true);
  });

  it.each([
    'a.ts exports 1.',
    'Shall I read b.ts?',
    'I will read it if you want.',
    'Let me know what to do next.',
    'I will read it once you have saved it.',
    'I will not read it.',
    'Let me check: it exports 1.',
    'I will now read a.ts. It exports 1.',
    'I have read a.ts.',
    '```\nI will now read a.ts.\n```',
    `${'A long answer. '.repeat(40)}I will now read a.ts.`,
    '',
  ])('does not: %s', (text) => {
    expect(isAnnouncement(text)).toBe(false);
  });
});
