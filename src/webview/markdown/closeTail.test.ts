import { describe, expect, it } from 'vitest';
import { closeTail } from './closeTail';

describe('The end of a text that is still written', () => {
  it.each([
    ['plain words', 'plain words'],
    ['a **bold wo', 'a **bold wo**'],
    ['a **bold*', 'a **bold**'],
    ['a **bold ', 'a **bold** '],
    ['an *em', 'an *em*'],
    ['an *em **both', 'an *em **both***'],
    ['a ~~gone', 'a ~~gone~~'],
    ['a `co', 'a `co`'],
    ['a ``co`d', 'a ``co`d``'],
    ['a `', 'a '],
    ['a **', 'a '],
    ['done **b** and', 'done **b** and'],
    ['snake_case_name', 'snake_case_name'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['see [the docs](https://exa', 'see the docs'],
    ['see ![pic](https://exa', 'see pic'],
    ['see [**the** docs](https://exa', 'see **the** docs'],
    ['see [the docs](https://a.b) now', 'see [the docs](https://a.b) now'],
    ['an array[0', 'an array[0'],
    ['escaped \\*not em', 'escaped \\*not em'],
    ['text\n-', 'text'],
    ['text\n==', 'text'],
    ['- one *x\n- two **y', '- one *x\n- two **y**'],
    ['*x stays\n\nnext **y', '*x stays\n\nnext **y**'],
    ['| a | **b', '| a | **b**'],
    ['```ts\nconst a = **b', '```ts\nconst a = **b'],
    ['```ts\nx\n```\n\nthen `y', '```ts\nx\n```\n\nthen `y`'],
    ['words\n``', 'words'],
    ['', ''],
  ])('%j reads as %j', (text, closed) => {
    expect(closeTail(text)).toBe(closed);
  });
});
