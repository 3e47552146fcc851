/** Silence for real: what no clock of ours can shorten, since it may be the system's or a library's own time-out. */
import { rm } from 'node:fs/promises';
import { messageWord } from '../../src/protocol/message';
import { holdUntil, say, type ChatStep } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import { OllamaServer } from '../support/ollama/ollamaServer';
import { ask, idle, MODEL } from '../support/windows/liveTalk';
import { TestWindow } from '../support/windows/openWindow';

export interface SilenceResult {
  readonly name: string;
  /** What was not as it must be. */
  readonly problem?: string;
  /** What happened, in words. */
  readonly detail: string;
}

/** Time-outs of clients that have one are mostly 300 s, between two pieces, too. */
const LONGEST_GAP_MS = 310_000;
/** How long (ms) Stop may take until the server sees the connection close. */
const STOP_MS = 500;

interface Silence {
  readonly name: string;
  readonly ms: number;
  /** What the server does before the silence. */
  readonly before: readonly ChatStep[];
  readonly stopped: boolean;
  /** How the answer ends, with its words. */
  readonly expected: string;
}

/** All of them at the same time, each with a server and a history of its own in `folder`. `ms`: the silence. */
export function realSilences(ms: number, folder: string): Promise<readonly SilenceResult[]> {
  const gap = Math.min(ms, LONGEST_GAP_MS);
  const silences: readonly Silence[] = [
    { name: 'before the first token', ms, before: [], stopped: false, expected: 'done: At last.' },
    { name: 'before the first token, then Stop', ms, before: [], stopped: true, expected: 'stopped: ' },
    { name: 'between two pieces', ms: gap, before: say('At '), stopped: false, expected: 'done: At At last.' },
    { name: 'between two pieces, then Stop', ms: gap, before: say('At '), stopped: true, expected: 'stopped: At ' },
  ];
  return Promise.all(silences.map((silence, index) => keepSilent(silence, `${folder}-${index}`)));
}

async function keepSilent(silence: Silence, folder: string): Promise<SilenceResult> {
  const server = await OllamaServer.start({ models: [MODEL] });
  const window = await TestWindow.open(folder, { serverUrl: server.url });
  try {
    const live = window.create();
    const steps = new Set<string>();
    live.listen({
      event: () => undefined,
      status: ({ run }) => steps.add(run.kind === 'waiting' ? `waiting ${run.phase ?? ''}`.trim() : run.kind),
      replaced: () => undefined,
    });
    const end = new Gate();
    server.script(...silence.before, holdUntil(end.opened), say('At last.'));
    await ask(live, 'Take your time');
    const chat = await server.nextChat();
    await new Promise((resolve) => setTimeout(resolve, silence.ms));
    const atEnd = live.status.run.kind;
    const since = performance.now();
    if (silence.stopped) {
      live.stop();
      await chat.closed;
    } else {
      end.open();
    }
    const stopMs = Math.round(performance.now() - since);
    await idle(live);
    const last = live.transcript.messages.at(-1);
    const words = last?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
    const ended = last === undefined ? 'nothing' : `${messageWord(last)}: ${words}`;
    const detail = `${silence.ms / 1_000} s, then "${ended}"${silence.stopped ? ` after ${stopMs} ms` : ''}; shown: ${[...steps].join(', ')}; ${server.chats.length} request`;
    const problem = problemOf(silence, { ended, atEnd, stopMs, requests: server.chats.length });
    return { name: silence.name, detail, ...(problem === undefined ? {} : { problem: `${problem} (${detail})` }) };
  } finally {
    await window.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Seen {
  readonly ended: string;
  readonly atEnd: string;
  readonly stopMs: number;
  readonly requests: number;
}

function problemOf({ expected, stopped }: Silence, { ended, atEnd, stopMs, requests }: Seen): string | undefined {
  if (atEnd === 'idle') return 'It had ended before the silence was over.';
  if (ended !== expected) return `It ended as "${ended}" instead of "${expected}".`;
  if (requests !== 1) return `It took ${requests} requests.`;
  return stopped && stopMs > STOP_MS ? `Stop took ${stopMs} ms.` : undefined;
}
