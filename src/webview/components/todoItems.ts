import type { JsonObject } from '../../protocol/part';

/** A step of a to-do list. */
export interface TodoItem {
  readonly state: 'done' | 'doing' | 'open';
  readonly text: string;
}

const STATES: Readonly<Record<string, TodoItem['state']>> = {
  done: 'done',
  completed: 'done',
  in_progress: 'doing',
  doing: 'doing',
};

/** The list that a model wrote: its arguments are its own, so what does not fit is left out. */
export function todoItems(args: JsonObject): readonly TodoItem[] {
  const list = Object.values(args).find((value): value is readonly unknown[] => Array.isArray(value)) ?? [];
  return list.flatMap((entry): readonly TodoItem[] => {
    if (typeof entry === 'string') return [{ state: 'open', text: entry }];
    if (typeof entry !== 'object' || entry === null) return [];
    const fields = new Map<string, unknown>(Object.entries(entry));
    const said = ['text', 'content', 'title', 'task', 'step'].map((key) => fields.get(key));
    const text = said.find((value) => typeof value === 'string');
    const state = fields.get('state') ?? fields.get('status');
    return text === undefined ? [] : [{ state: (typeof state === 'string' && STATES[state]) || 'open', text }];
  });
}

/** `2 of 5 done`. */
export function todoCounts(args: JsonObject): string | undefined {
  const items = todoItems(args);
  if (items.length === 0) return undefined;
  return `${items.filter(({ state }) => state === 'done').length} of ${items.length} done`;
}
