import { afterEach, beforeEach, expect, it } from 'vitest';
import { bareDone, callTool, say, think } from '../../../../test/support/ollama/chatStep';
import { AskingHistory, write } from '../../../../test/support/windows/askingHistory';
import { ask, idle, MODEL, said } from '../../../../test/support/windows/liveTalk';

const BACKGROUND = '<background>Write British English.</background>';

let history: AskingHistory;

beforeEach(async () => {
  history = await AskingHistory.make();
});

afterEach(() => history.remove());

/** Every row of every table of the history, as text. */
async function rows(): Promise<string> {
  const { shared } = history;
  const tables = await shared.sql(`SELECT name FROM sqlite_schema WHERE type = 'table'`);
  let all = '';
  for (const { name } of tables) {
    for (const row of await shared.sql(`SELECT * FROM "${String(name)}"`)) {
      const values = Object.values(row);
      all += values
        .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)))
        .join();
    }
  }
  return all;
}

it('nothing of what the model is told beside the conversation is in the file', async () => {
  const { server } = history.shared;
  const window = await history.open({ background: BACKGROUND });
  const live = window.create();
  live.setMode('bypass');
  server.script(think('Hm.'), say('Let me see.'), write('new words'));
  server.script(bareDone());
  server.script(bareDone());
  server.script(say('I will now read the tests.'));
  server.script(callTool('run_command', { command: 'make' }));
  for (let step = 1; step <= 6; step += 1) server.script(callTool('read_file', { path: `missing ${step}` }));
  server.fallback = () => say('They wrote a file.');
  await ask(live, 'Write and test it.');
  await idle(live);
  await ask(live, 'And?');
  await idle(live);
  expect(await live.compact(MODEL)).toEqual({ ok: true });
  await ask(live, 'Well?');
  await idle(live);
  await expect.poll(() => live.status.save.kind).toBe('saved');

  const stored = await rows();
  // What was said and done is there.
  for (const words of ['Write and test it.', 'Let me see.', 'new words', 'They wrote a file.', ...said(live).slice(-1)])
    expect(stored).toContain(words.replace(/^.*: /, ''));
  const told = server.chats.flatMap(({ chat }) => chat.messages.map(({ content }) => content)).join('\n');
  const ours = [
    'You are a test.',
    'Write British English.',
    '[From the application, not from the user] Your last answer was empty.',
    '[From the application, not from the user] You said what you would do next',
    '[From the application, not from the user] Your last calls have all failed',
    'Now you write the summary',
    'Write the summary now.',
    '<conversation>',
    '<background>',
  ];
  expect(ours.filter((words) => !told.includes(words))).toEqual([]);
  expect(ours.filter((words) => stored.includes(words))).toEqual([]);
  for (const words of ['From the application', 'Runs a command.', 'earlier_summary', 'system'])
    expect(stored).not.toContain(words);
});
