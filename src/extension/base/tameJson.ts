import { ARGUMENT_DEPTH } from './limits';

/**
 * The value with well-formed keys and strings, or undefined when it is nested so deep that whoever walks it would
 * overflow the stack. For values that a model wrote.
 */
export function tamedJson(value: unknown): unknown {
  return depthOf(value) > ARGUMENT_DEPTH ? undefined : wellFormed(value);
}

/** How deep `value` is nested, counted no further than the limit, without recursion. */
function depthOf(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0 && depth <= ARGUMENT_DEPTH) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      // One by one: spread into a call, a long list overflows the stack.
      for (const inner of Object.values(item)) next.push(inner);
    }
    level = next;
    depth += 1;
  }
  return depth;
}

/** Its depth is bounded. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map((item: unknown) => wellFormed(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]));
}
