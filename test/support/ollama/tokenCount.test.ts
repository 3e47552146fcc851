import { describe, expect, it } from 'vitest';
import type { ChatRequest } from './chatRequest';
import { promptOf } from './promptText';
import { TokenCount } from './tokenCount';
import { o200k } from './tokenizer';

const TOOL = { type: 'function', function: { name: 'f', description: 'Does it.', parameters: { type: 'object' } } };
const CALL = { function: { name: 'f', arguments: { a: 1 } } };

function prompt(request: Omit<ChatRequest, 'model'>): string {
  return promptOf({ model: 'm', ...request })
    .map((piece) => ('special' in piece ? piece.special : piece.text))
    .join('');
}

describe('The prompt of a request', () => {
  it('names who speaks and ends where the model begins', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ];
    expect(prompt({ messages })).toBe(
      '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n',
    );
  });

  it('lists tools after the instructions, and tells calls and results in tags', () => {
    const messages = [
      { role: 'user', content: 'Do it' },
      { role: 'assistant', content: 'Now.', thinking: 'I must.', tool_calls: [CALL, CALL] },
      { role: 'tool', content: 'one' },
      { role: 'tool', content: 'two' },
    ];
    const text = prompt({ messages, tools: [TOOL] });
    expect(text).toContain(`<tools>\n${JSON.stringify(TOOL)}\n</tools>`);
    expect(text.slice(text.indexOf('<|im_start|>assistant'))).toBe(
      '<|im_start|>assistant\n<think>\nI must.\n</think>\n\nNow.\n' +
        '<tool_call>\n{"name": "f", "arguments": {"a":1}}\n</tool_call>\n' +
        '<tool_call>\n{"name": "f", "arguments": {"a":1}}\n</tool_call><|im_end|>\n' +
        '<|im_start|>user\n<tool_response>\none\n</tool_response>\n<tool_response>\ntwo\n</tool_response><|im_end|>\n' +
        '<|im_start|>assistant\n',
    );
  });

  it('leaves out the thinking of earlier turns', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', thinking: 'secret' },
      { role: 'user', content: 'c' },
    ];
    expect(prompt({ messages })).not.toContain('secret');
  });
});

describe('The count of tokens', () => {
  const count = new TokenCount();

  it('takes a special token for one, and the same words in a text for what they are', () => {
    expect(count.countPieces([{ special: '<|im_start|>' }, { text: 'user\nHello' }])).toBe(1 + o200k('user\nHello'));
    expect(count.countTokens('<|im_start|>')).toBeGreaterThan(1);
  });

  it('takes 768 for an image', () => {
    const messages = [{ role: 'user', content: 'x' }];
    const plain = count.countPromptTokens({ model: 'm', messages });
    const seeing = count.countPromptTokens({ model: 'm', messages: [{ ...messages[0]!, images: ['AA==', 'AA=='] }] });
    expect(seeing - plain).toBe(2 * 768);
  });

  it('is told for texts that no tokenizer was made for', () => {
    expect(count.countTokens('x'.repeat(1_000_000))).toBeGreaterThan(10_000);
    expect(count.countTokens('数据'.repeat(20_000))).toBeGreaterThan(10_000);
    expect(count.countTokens('\ud83d')).toBeGreaterThan(0);
  });
});
