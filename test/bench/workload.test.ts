import { describe, expect, it } from 'vitest';
import { payloadBytes, workloadMessage } from './workload';

describe('The workload of the bench', () => {
  it('is 300 bytes from the person and 2 KB with one call of 200 bytes and 4 KB from the model, in turns', () => {
    const user = workloadMessage(2);
    expect(user.role).toBe('user');
    expect(payloadBytes(user)).toBe(300);

    const answer = workloadMessage(3);
    const [text, call] = answer.parts;
    expect(answer.role).toBe('assistant');
    expect(text?.type === 'text' && text.text.length).toBe(2_048);
    expect(call?.type === 'tool' && JSON.stringify(call.arguments).length).toBe(200);
    expect(call?.type === 'tool' && call.result?.content.length).toBe(4_096);
    expect(answer.parts).toHaveLength(2);
  });

  it('has the same words at the same place every time, and other ones elsewhere', () => {
    expect(workloadMessage(7)).toEqual(workloadMessage(7));
    expect(workloadMessage(7).parts).not.toEqual(workloadMessage(9).parts);
  });
});
