import * as z from 'zod';
import { TODO_CHARS, TODO_ITEMS } from '../base/limits';
import { defineTool } from './defineTool';

const itemSchema = z.object({
  text: z.string().trim().min(1).max(TODO_CHARS).describe('What is to be done, in a few words'),
  status: z.enum(['pending', 'in_progress', 'done']).default('pending'),
});

/** Keeps the model's list of what is to be done: it stands in the call, and in the answer that the model reads. */
export const todoTool = defineTool({
  name: 'todo',
  description:
    'Keeps the steps of a longer task, for you and the user to see. Send the whole list each time: it replaces the one before. ' +
    'One item at most is in_progress.',
  schema: z.object({ items: z.array(itemSchema).max(TODO_ITEMS).describe('The whole list, in order') }),
  example: { items: [{ text: 'Write the test', status: 'in_progress' }] },
  readOnly: true,
  run: ({ items }) => {
    const count = (status: string): number => items.filter((item) => item.status === status).length;
    const lines = items.map(({ text, status }) =>
      `${MARKS[status]} ${text.replaceAll(/[\s\p{Cc}]+/gu, ' ')}`.toWellFormed(),
    );
    const busy = count('in_progress');
    const note = busy > 1 ? [`[${busy} items are in_progress. Work on one at a time, and send the list again.]`] : [];
    const listed = lines.length === 0 ? ['(The list is empty.)'] : lines;
    return Promise.resolve({
      ok: true,
      content: [...listed, ...note].join('\n'),
      summary: items.length === 0 ? 'empty' : `${count('done')} of ${items.length} done`,
    });
  },
});

const MARKS = { pending: '[ ]', in_progress: '[>]', done: '[x]' } as const;
