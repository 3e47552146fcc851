import { describe, expect, it } from 'vitest';
import { IMAGE_BYTES } from '../base/limits';
import {
  answerSchema,
  callSchema,
  modelSchema,
  moveQueuedSchema,
  runCommandSchema,
  sendSchema,
  setModeSchema,
  undoSchema,
  useHostSchema,
} from './pageSchemas';

const conversationId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const image = { name: 'a.png', mediaType: 'image/png', data: 'iVBORw0KGgo=' };

describe('what a page sends', () => {
  it('is taken with images and without', () => {
    const plain = { conversationId, clientId: 'c', text: 'Hi' };
    expect(sendSchema.parse(plain)).toEqual(plain);
    expect(sendSchema.parse({ ...plain, images: [image] })).toEqual({ ...plain, images: [image] });
  });

  it('may hold somewhat more than a message can, so that the conversation can say so', () => {
    const images = Array.from({ length: 5 }, () => ({ ...image, data: 'A'.repeat(IMAGE_BYTES * 2) }));
    expect(sendSchema.safeParse({ conversationId, clientId: 'c', text: '', images }).success).toBe(true);
  });

  it('is taken as an answer to a request, in each of its kinds', () => {
    for (const answer of [
      { kind: 'allow' },
      { kind: 'grant', grant: 0 },
      { kind: 'deny' },
      { kind: 'deny', words: 'No.' },
    ])
      expect(answerSchema.parse({ conversationId, request: 'r', answer })).toEqual({
        conversationId,
        request: 'r',
        answer,
      });
  });

  it.each([
    ['images without end', sendSchema, { conversationId, clientId: 'c', text: '', images: Array(17).fill(image) }],
    ['an image without data', sendSchema, { conversationId, clientId: 'c', text: '', images: [{ name: 'a' }] }],
    ['images that are null', sendSchema, { conversationId, clientId: 'c', text: '', images: null }],
    ['a place in the queue that is no id', moveQueuedSchema, { conversationId, clientId: 'c', before: 3 }],
    ['a model that is no text', modelSchema, { model: { $ne: '' } }],
    ['a name of a model without end', modelSchema, { model: 'm'.repeat(1_001) }],
    ['a host without end', useHostSchema, { host: 'h'.repeat(201) }],
    ['an answer that is none', answerSchema, { conversationId, request: 'r', answer: { kind: 'always' } }],
    [
      'a grant that is no number',
      answerSchema,
      { conversationId, request: 'r', answer: { kind: 'grant', grant: '0' } },
    ],
    [
      'a rule of the page',
      answerSchema,
      { conversationId, request: 'r', answer: { kind: 'grant', grant: { kind: 'files' } } },
    ],
    ['a mode that is none', setModeSchema, { conversationId, mode: 'root' }],
    ['a call without a place', callSchema, { conversationId, seq: 1 }],
    ['a call of no message', callSchema, { conversationId, seq: 0, idx: 0 }],
    ['neither undo nor redo', undoSchema, { conversationId, seq: 1, how: 'delete' }],
    ['a command of the editor', runCommandSchema, { command: 'workbench.action.quit' }],
    ['a command of ours that is not for pages', runCommandSchema, { command: 'setServerHeaders' }],
  ])('is refused when it is %s', (_, schema, params) => expect(schema.safeParse(params).success).toBe(false));
});
