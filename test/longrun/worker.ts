/** A window without the editor: store, conversation, agent, model client and tools as the product has them. */
import type { ClientId, ConversationId } from '../../src/protocol/ids';
import type { TranscriptEvent } from '../../src/protocol/event';
import { isOwnMessage, type Message } from '../../src/protocol/message';
import type { TurnTools } from '../../src/extension/agent/turn';
import { systemClock } from '../../src/extension/base/clock';
import type { Log } from '../../src/extension/base/log';
import { FileWatch } from '../../src/extension/conversations/windows/fileWatch';
import type { LiveConversation } from '../../src/extension/conversations/liveConversation';
import { ConversationRegistry } from '../../src/extension/conversations/registry';
import { OllamaClient } from '../../src/extension/ollama/ollamaClient';
import type { Change } from '../../src/extension/storage/change';
import { Store } from '../../src/extension/storage/store';
import { listFilesTool } from '../../src/extension/tools/listFiles';
import { readFileTool } from '../../src/extension/tools/readFile';
import { ToolRegistry } from '../../src/extension/tools/registry';
import { searchTextTool } from '../../src/extension/tools/searchText';
import { testHost } from '../support/tools/testHost';
import { testSettings } from '../support/windows/turnSettings';
import { listen, tell as tellParent } from '../torture/pipe';
import type { EndedMessage, LastMessage, ParentLine, Summary, WindowLine, WindowMoment, WindowOptions } from './lines';
import { printOf } from './prints';
import { BACKGROUND, SYSTEM_PROMPT } from './surroundings';

const MODEL = 'long-runner';

const options = JSON.parse(process.argv[2] ?? '{}') as WindowOptions;
const deaths = new Set<WindowMoment>();

function tell(line: WindowLine): void {
  tellParent(line);
}

/** A kill, if it is to come now: nothing of this process happens after it. */
function reached(moment: WindowMoment): void {
  if (!deaths.has(moment)) return;
  tell({ kind: 'dying', at: moment });
  process.kill(process.pid, 'SIGKILL');
}

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    tell({ kind: 'broken', words: `${event}: ${error instanceof Error ? String(error.stack) : String(error)}` });
    process.exit(70);
  });
}

const log = pipedLog('');
const store = new Store(options.history, 'the-machine', log);
store.onFailureChange(() => {
  const { failure } = store;
  if (failure !== undefined) tell({ kind: 'unsaved', words: failure.error.sentence });
});
tellWhatIsKept(store);

const watch = new FileWatch(store, systemClock, log);
watch.onScreen = true;
const client = new OllamaClient(options.serverUrl, systemClock, log);
const tools = new ToolRegistry([readFileTool, listFilesTool, searchTextTool], log);
const registry = new ConversationRegistry({
  store,
  watch,
  clock: systemClock,
  log,
  rescued: () => tell({ kind: 'broken', words: 'a turn had to be rescued, though nobody else writes the file' }),
  windowsOf: () => ({}),
  isTrusted: () => true,
  prepareTurn: () =>
    Promise.resolve(
      testSettings(client, {
        tools: dyingTools(),
        systemPrompt: SYSTEM_PROMPT,
        background: BACKGROUND,
        contextLength: options.contextLength,
        keepAlive: '10m',
        think: true,
      }),
    ),
});

await store.start();
const live = await openConversation();
const toldOf = new Set(live.transcript.messages.filter(hasEnded).map(({ seq }) => seq));
let wasRunning = false;
let asked = 0;
live.listen({ event: onEvent, status: onStatus, replaced: () => undefined });
const last = lastMessage();
const summary = live.transcript.messages.map(summaryIn).findLast((found) => found !== undefined);
tell({
  kind: 'open',
  conversation: live.id,
  own: live.transcript.messages.flatMap(({ clientId }) => (clientId === undefined ? [] : [clientId])),
  queued: live.status.queue.map(({ clientId }) => clientId),
  ...(summary === undefined ? {} : { summary }),
  ...(last === undefined ? {} : { last }),
});
listen<ParentLine>((line) => {
  switch (line.kind) {
    case 'send':
      return void live.send(line.clientId as ClientId, line.text, MODEL).then((reply) => {
        if (reply.ok) return reached('accepted');
        tell({ kind: 'refused', clientId: line.clientId, words: reply.message });
      });
    case 'retry':
      return void live.retry(MODEL).then((reply) => {
        if (!reply.ok) tell({ kind: 'refused', words: reply.message });
      });
    case 'die':
      deaths.add(line.at);
      return;
    case 'close':
      return void close();
  }
});

async function openConversation(): Promise<LiveConversation> {
  if (options.conversation === undefined) {
    const made = registry.create({ key: 'file:///harbour', name: 'harbour' }, MODEL);
    made.store();
    return made;
  }
  const result = await registry.open(options.conversation as ConversationId);
  if (!result.ok) throw new Error(result.failure.sentence);
  return result.value;
}

async function close(): Promise<void> {
  await registry.dispose();
  watch.dispose();
  await store.close();
  tell({ kind: 'closed' });
  process.exit(0);
}

/** Synchronous, right after the event was handed to the writer. */
function onEvent(event: TranscriptEvent): void {
  switch (event.type) {
    case 'message_added': {
      const { message } = event;
      if (message.role === 'assistant') return reached('before_request');
      if (!isOwnMessage(message)) return;
      if (message.clientId !== undefined) tell({ kind: 'asked', clientId: message.clientId });
      return reached('sent');
    }
    case 'part_set':
      if (event.part.type !== 'tool') return;
      if (event.part.state === 'pending') reached('call_made');
      if (event.part.state === 'awaiting_approval' && event.part.approval !== undefined) answer(event.part.approval.id);
      if (event.part.result !== undefined) reached('after_result');
      return;
    case 'message_ended':
      if (partsOf(event.seq).some((part) => part.type === 'tool')) reached('between');
      return;
    case 'part_delta':
    case 'tool_output':
    case 'conversation_changed':
      return;
  }
}

/** The person allows every other call, a moment after the request for it was shown. */
function answer(request: string): void {
  asked += 1;
  const kind = asked % 2 === 0 ? 'allow' : 'deny';
  setImmediate(
    () =>
      void live.answer(request, { kind }).then((reply) => {
        if (!reply.ok) tell({ kind: 'refused', words: reply.message });
      }),
  );
}

function onStatus(): void {
  const { run } = live.status;
  if (run.kind === 'compacting') reached('compacting');
  if (run.kind !== 'idle') {
    wasRunning = true;
  } else if (wasRunning) {
    wasRunning = false;
    // A message of the queue may begin the next turn at once.
    setImmediate(() => {
      if (live.status.run.kind === 'idle') tellIdle();
    });
  }
}

function tellIdle(): void {
  const ended: EndedMessage[] = [];
  for (const message of live.transcript.messages) {
    if (!hasEnded(message) || toldOf.has(message.seq)) continue;
    toldOf.add(message.seq);
    ended.push({ seq: message.seq, print: printOf(message) });
  }
  const newest = lastMessage();
  tell({ kind: 'idle', ended, ...(newest === undefined ? {} : { last: newest }) });
}

function lastMessage(): LastMessage | undefined {
  const message = live.transcript.messages.at(-1);
  if (message === undefined) return undefined;
  const { seq, role, status, reason } = message;
  return { seq, role, status, ...(reason === undefined ? {} : { reason }) };
}

function partsOf(seq: number): Message['parts'] {
  return live.transcript.messages.findLast((message) => message.seq === seq)?.parts ?? [];
}

function hasEnded(message: Message): boolean {
  return message.status !== 'streaming';
}

/** Only what the store says is written may be counted on. */
function tellWhatIsKept(witnessed: Store): void {
  const write = witnessed.write.bind(witnessed);
  witnessed.write = (command) => {
    const answer = write(command);
    const line = keptLine(command.change);
    if (line !== undefined) void answer.then((outcome) => (outcome === 'written' ? tell(line) : undefined));
    return answer;
  };
}

function keptLine(change: Change): WindowLine | undefined {
  if (change.type === 'message_queued') return { kind: 'kept', clientId: change.clientId };
  if (change.type !== 'message_added') return undefined;
  const summary = summaryIn(change.message);
  if (summary !== undefined) return { kind: 'compacted', ...summary };
  const { clientId } = change.message;
  return clientId === undefined ? undefined : { kind: 'kept', clientId };
}

function summaryIn(message: Message): Summary | undefined {
  const notice = message.parts.find((part) => part.type === 'notice');
  return notice === undefined ? undefined : { covers: notice.covers, text: notice.text };
}

/** The tools of one turn, as the product has them. */
function dyingTools(): TurnTools {
  let ran = false;
  const bound = tools.bound(testHost(options.work, { ripgrepPath: options.ripgrep }));
  return {
    ...bound,
    plan: async (name, args, signal) => {
      const planned = await bound.plan(name, args, signal);
      if (planned.kind === 'answered') return planned;
      return {
        ...planned,
        run: (run) => {
          const running = planned.run(run);
          reached(ran ? 'in_next_tool' : 'in_tool');
          ran = true;
          return running;
        },
      };
    },
  };
}

function pipedLog(subject: string): Log {
  return {
    info: (line) => tell({ kind: 'log', words: `${subject}${line}` }),
    warn: (line) => tell({ kind: 'log', words: `${subject}warning: ${line}` }),
    error: (line, error) =>
      tell({
        kind: 'log',
        words: `${subject}error: ${line} ${error instanceof Error ? String(error.stack) : String(error)}`,
      }),
    sub: (name) => pipedLog(`${subject}${name}: `),
  };
}
