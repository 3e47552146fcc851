// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { Following } from './following';
import type { ListVirtualizer } from './useVirtualizer';

describe('Following the end', () => {
  let following: Following;
  let scroller: HTMLElement;
  const size = { clientHeight: 300, scrollHeight: 1_000, scrollTop: 0 };
  const scrollTo = (top: number): void => {
    size.scrollTop = top;
    scroller.dispatchEvent(new Event('scroll'));
  };
  beforeEach(() => {
    Object.assign(size, { clientHeight: 300, scrollHeight: 1_000, scrollTop: 0 });
    scroller = document.createElement('div');
    for (const name of Object.keys(size) as (keyof typeof size)[]) {
      Object.defineProperty(scroller, name, { get: () => size[name] });
    }
    // What Following asks of the library's object, and no more.
    const virtualizer = {
      scrollToEnd: () => (size.scrollTop = size.scrollHeight - size.clientHeight),
      cancelScroll: () => undefined,
    } as unknown as ListVirtualizer;
    following = new Following();
    following.attach(scroller, virtualizer, true);
  });

  it('ends when the reader scrolls up, and begins again near the end', () => {
    scrollTo(500);
    expect(following.on.value).toBe(false);
    scrollTo(690);
    expect(following.on.value).toBe(true);
  });

  it('goes on when what stands below the list goes and something taller comes', () => {
    // The browser moves the list down with the first, and says so only after the second.
    size.clientHeight = 200;
    scrollTo(680);
    expect(following.on.value).toBe(true);
    following.settle();
    expect(size.scrollTop).toBe(800);
    scrollTo(500);
    expect(following.on.value).toBe(false);
  });
});
