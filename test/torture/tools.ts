import type { TurnTools } from '../../src/extension/agent/turn';
import { answered, refused } from '../../src/extension/tools/tool';
import { sleep } from './model';
import type { Random } from './random';
import { randomText } from './words';

const PARAMETERS = { type: 'object', properties: { text: { type: 'string' }, count: { type: 'number' } } };

/** Tools that touch nothing but memory. */
export function memoryTools(random: Random): TurnTools {
  const notes = new Map<string, string>();
  return {
    definitions: ['note', 'recall', 'ponder'].map((name) => ({ name, description: name, parameters: PARAMETERS })),
    async plan(name, args, signal) {
      await sleep(name === 'ponder' ? random.between(50, 900) : random.between(0, 30), signal);
      if (name === 'no_such_tool') return answered(refused('There is no such thing here.', 'unknown tool'));
      const key = String(args['count']);
      if (name === 'note') notes.set(key, String(args['text']));
      const long = random.chance(0.03) ? random.between(10_000, 60_000) : random.between(0, 2_000);
      const content = `${notes.get(key) ?? 'nothing'}\n${randomText(random, long)}`;
      return answered({ ok: true, content, summary: '1 note' });
    },
    malformed: (name, written) => refused(`The arguments of ${name} were no object: ${written}`, 'malformed'),
  };
}
