import type { Rule } from '../../../src/protocol/approval';
import type { FileChange } from '../../../src/protocol/fileChange';
import type { ConversationId, ClientId } from '../../../src/protocol/ids';
import type { Message } from '../../../src/protocol/message';
import type { SubAgent } from '../../../src/protocol/subAgent';
import type { FileVersion, VersionState } from '../../../src/extension/base/fileVersion';
import { silentLog } from '../../../src/extension/base/log';
import type { Change, WorkspaceIdentity } from '../../../src/extension/storage/change';
import { Connection } from '../../../src/extension/storage/connection';
import { storageFiles } from '../../../src/extension/storage/files';
import { Store } from '../../../src/extension/storage/store';

/** The machine on which the windows of the fixtures ran: only there is their unfinished run known to be dead. */
export const FIXTURE_HOST = 'fixture-machine';

export const HARBOUR: WorkspaceIdentity = { key: 'file:///home/ada/harbour', name: 'harbour' };
export const ORCHARD: WorkspaceIdentity = { key: 'file:///home/ada/orchard', name: 'orchard' };
export const GARDEN: WorkspaceIdentity = { key: 'file:///home/ada/garden', name: 'garden' };

/** 2026-01-15, 10:00 UTC. */
const BEGIN = 1_768_471_200_000;
const MODEL = 'llama-of-the-fixture:8b';

export interface FixtureConversation {
  readonly id: ConversationId;
  readonly title: string;
  readonly workspace: WorkspaceIdentity;
  readonly messages: readonly Message[];
}

function asked(seq: number, text: string): Message {
  const clientId = `client-${seq}` as ClientId;
  return { seq, role: 'user', status: 'done', clientId, createdAt: BEGIN + seq, parts: [{ type: 'text', text }] };
}

function answered(seq: number, changes: Partial<Message>): Message {
  const createdAt = BEGIN + seq;
  const end = { endedAt: createdAt + 1_500, usage: { promptTokens: 40, answerTokens: 7, answerMs: 1_200 } };
  return { seq, role: 'assistant', status: 'done', model: MODEL, createdAt, ...end, parts: [], ...changes };
}

/** Words only, and every way in which an answer can end. */
export const PLAIN: FixtureConversation = {
  id: '01KF000000000000000000000A' as ConversationId,
  title: 'How deep is the harbour?',
  workspace: HARBOUR,
  messages: [
    asked(1, 'How deep is the harbour?'),
    answered(2, { parts: [{ type: 'text', text: 'Eleven metres at low tide. 水深 11 米 🌊' }] }),
    asked(3, 'And in spring?'),
    answered(4, { status: 'aborted', reason: 'stop', parts: [{ type: 'text', text: 'In spring it is' }] }),
    asked(5, 'Well?'),
    answered(6, { status: 'error', reason: 'server_error', detail: 'out of memory', parts: [] }),
  ],
};

/** Thinking, and calls that ended well and badly. */
export const TOOLS: FixtureConversation = {
  id: '01KF000000000000000000000B' as ConversationId,
  title: 'What is in notes.md?',
  workspace: HARBOUR,
  messages: [
    asked(1, 'What is in notes.md?'),
    answered(2, {
      parts: [
        { type: 'thinking', text: 'I should read it.', startedAt: BEGIN + 10, endedAt: BEGIN + 20 },
        { type: 'text', text: 'Let me look.' },
        {
          type: 'tool',
          name: 'read_file',
          callId: 'call_1',
          arguments: { path: 'notes.md' },
          state: 'done',
          result: { content: '1\tthe heron is grey', summary: '1 line' },
          startedAt: BEGIN + 30,
          endedAt: BEGIN + 40,
        },
        {
          type: 'tool',
          name: 'read_file',
          arguments: { path: 'missing.md' },
          state: 'error',
          result: { content: 'There is no file missing.md.' },
          startedAt: BEGIN + 50,
          endedAt: BEGIN + 60,
        },
      ],
    }),
    answered(3, { parts: [{ type: 'text', text: 'It says that the heron is grey.' }] }),
  ],
};

/** The window died while it was written: the answer stands in chunks, one call was running and one was waiting. */
export const INTERRUPTED: FixtureConversation = {
  id: '01KF000000000000000000000C' as ConversationId,
  title: 'Count the boats',
  workspace: HARBOUR,
  messages: [
    asked(1, 'Count the boats'),
    {
      seq: 2,
      role: 'assistant',
      status: 'streaming',
      model: MODEL,
      createdAt: BEGIN + 2,
      parts: [
        { type: 'text', text: '' },
        { type: 'tool', name: 'list_files', arguments: { path: 'boats' }, state: 'running', startedAt: BEGIN + 30 },
        { type: 'tool', name: 'list_files', arguments: { path: 'ships' }, state: 'pending' },
      ],
    },
  ],
};
/** The chunks of the first part of the interrupted answer. */
const CHUNKS: readonly string[] = ['There are seven boats, ', 'of which three ', 'are bl'];

/** A part of a kind that no version knew, and one whose column was damaged after it was written. */
export const ODD: FixtureConversation = {
  id: '01KF000000000000000000000D' as ConversationId,
  title: 'Listen to the bell',
  workspace: GARDEN,
  messages: [
    asked(1, 'Listen to the bell'),
    answered(2, {
      parts: [
        { type: 'unknown', originalType: 'audio', json: '{"hz":440}' },
        { type: 'text', text: 'This part is damaged.' },
        { type: 'text', text: 'This part is not.' },
      ],
    }),
  ],
};
export const DAMAGED = '{"text":"This part is dam';

/** Since version 2: a fork, with what waits in its queue and its composer, and a result that is too long for its row. */
export const FORK: FixtureConversation = {
  id: '01KF000000000000000000000E' as ConversationId,
  title: 'How deep is the harbour? (fork)',
  workspace: ORCHARD,
  messages: [
    ...PLAIN.messages.slice(0, 4),
    asked(7, 'Measure it'),
    answered(8, {
      parts: [
        {
          type: 'tool',
          name: 'search_text',
          arguments: { text: 'depth' },
          state: 'done',
          result: { content: '水深 11 米 🌊\n'.repeat(5_000), summary: '5,000 matches' },
        },
      ],
    }),
  ],
};
export const FORK_QUEUE = [{ clientId: 'client-9' as ClientId, text: 'And the width', createdAt: BEGIN + 9 }] as const;
export const FORK_DRAFT = { text: 'What about the', at: BEGIN + 10 } as const;

/** Since version 2: a sub-agent that was called for in {@link TOOLS}, and ended. */
export const SUB_AGENT: SubAgent = {
  id: '01KF000000000000000000000F' as ConversationId,
  parent: { conversationId: TOOLS.id, seq: 2, idx: 2 },
  state: 'done',
  description: 'Look for herons',
  prompt: 'Are there herons in the notes?',
  result: 'One, and it is grey.',
  startedAt: BEGIN + 100,
  finishedAt: BEGIN + 200,
};

/** A picture of one grey pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

const CHANGE: FileChange = {
  path: 'boats/list.txt',
  kind: 'changed',
  added: 1,
  removed: 1,
  hunks: [{ oldStart: 1, newStart: 1, lines: ['-heron', '+grey heron 🪶'] }],
  hunksLeftOut: 2,
};

/** Since version 3: an edit that was allowed and taken back, a picture that was read, and a command that waits for leave. */
export const LEAVE: FixtureConversation = {
  id: '01KF000000000000000000000G' as ConversationId,
  title: 'Paint the herons',
  workspace: ORCHARD,
  messages: [
    asked(1, 'Paint the herons'),
    answered(2, {
      parts: [
        {
          type: 'tool',
          name: 'edit_file',
          arguments: { path: 'boats/list.txt' },
          state: 'done',
          effects: true,
          approval: {
            id: 'request-1',
            askedAt: BEGIN + 30,
            subject: { kind: 'edit', change: CHANGE, outside: false },
            reasons: ['mode'],
            grants: [{ kind: 'rule', rule: { kind: 'files', pattern: 'boats/**' } }, { kind: 'answer' }],
            digest: 'digest-1',
          },
          answer: { kind: 'grant', grant: 0 },
          change: { ...CHANGE, undone: true },
          result: { content: 'Changed.', summary: '+1 −1' },
          startedAt: BEGIN + 40,
          endedAt: BEGIN + 50,
        },
        {
          type: 'tool',
          name: 'read_file',
          arguments: { path: 'heron.png' },
          state: 'done',
          result: {
            content: 'An image.',
            image: { mediaType: 'image/png', bytes: Buffer.from(PIXEL, 'base64').length, data: PIXEL },
          },
          startedAt: BEGIN + 60,
          endedAt: BEGIN + 70,
        },
      ],
    }),
    {
      seq: 3,
      role: 'assistant',
      status: 'streaming',
      model: MODEL,
      createdAt: BEGIN + 3,
      parts: [
        {
          type: 'tool',
          name: 'run_command',
          arguments: { command: 'npm test' },
          state: 'awaiting_approval',
          approval: {
            id: 'request-2',
            askedAt: BEGIN + 80,
            subject: { kind: 'command', command: 'npm test', folder: '.', shell: 'bash', timeoutMs: 120_000 },
            reasons: ['mode'],
            grants: [{ kind: 'rule', rule: { kind: 'program', words: ['npm', 'test'], exact: false } }],
            digest: 'digest-2',
          },
        },
        { type: 'tool', name: 'diagnostics', arguments: {}, state: 'pending' },
      ],
    },
  ],
};
export const LEAVE_RULES: readonly Rule[] = [
  { kind: 'files', pattern: 'boats/**' },
  { kind: 'program', words: ['npm', 'test'], exact: false },
  { kind: 'tool', tool: 'other_weather' },
];
/** One of each: a file that was changed, one that was made empty, one that would be removed. */
export const LEAVE_VERSIONS: readonly { readonly version: FileVersion; readonly state: VersionState }[] = [
  {
    version: {
      path: '/home/ada/orchard/boats/list.txt',
      before: { bytes: Buffer.from('heron\r\n'), mode: 0o644 },
      after: { bytes: Buffer.from('grey heron 🪶\r\n'), mode: 0o644 },
    },
    state: 'undone',
  },
  {
    version: {
      path: '/home/ada/orchard/empty.sh',
      before: undefined,
      after: { bytes: new Uint8Array(0), mode: 0o755 },
    },
    state: 'applied',
  },
  {
    version: {
      path: '/home/ada/orchard/raw.bin',
      before: { bytes: Uint8Array.of(0, 255, 10, 13, 128), mode: 0 },
      after: undefined,
    },
    state: 'proposed',
  },
];

export const FIXTURE: readonly FixtureConversation[] = [PLAIN, TOOLS, INTERRUPTED, ODD];

/**
 * Writes the history above with this build and closes the file cleanly. Answers the version of the file.
 * What a new version adds is written here, in a conversation of its own: the fixtures of older versions stay as they
 * are, and the test of migrations expects of all of them what is above.
 */
export async function writeFixtureHistory(folder: string): Promise<number> {
  const store = new Store(folder, FIXTURE_HOST, silentLog);
  const failure = await store.start();
  if (failure !== undefined) throw failure;
  for (const [index, { id, title, workspace, messages }] of FIXTURE.entries()) {
    const at = BEGIN + index * 60_000;
    const write = async (change: Change, fence?: number): Promise<void> => {
      const command = { conversationId: id, at, change, ...(fence === undefined ? {} : { fence }) };
      const outcome = await store.write(command);
      if (outcome !== 'written') throw new Error(`${change.type} of ${title}: ${outcome}`);
    };
    const conversation = { id, kind: 'chat', title, model: MODEL, createdAt: at } as const;
    await write({ type: 'conversation_created', conversation, workspace });
    await write({ type: 'run_started', fence: 1 });
    for (const message of messages) await write({ type: 'message_added', message }, 1);
    if (id === INTERRUPTED.id) {
      let offset = 0;
      for (const [chunk, text] of CHUNKS.entries()) {
        await write({ type: 'delta', seq: 2, idx: 0, chunk, at: offset, text }, 1);
        offset += text.length;
      }
    } else {
      await write({ type: 'run_ended' }, 1);
    }
  }
  await writeFork(store);
  await writeSubAgent(store);
  await writeLeave(store);
  // A change that can never be written stands in `rejected`.
  const again = { type: 'message_added', message: asked(1, 'Twice') } as const;
  await store.write({ conversationId: PLAIN.id, at: BEGIN, change: again });
  await store.close();

  const connection = await Connection.open(storageFiles(folder).database, 'existing');
  const version = await connection.exclusive(async (statements) => {
    await statements.run(`UPDATE part SET data = ? WHERE data LIKE '%This part is damaged.%'`, [DAMAGED]);
    return Number((await statements.get('PRAGMA user_version'))?.['user_version']);
  });
  await connection.close();
  return version;
}

async function writeAll(
  store: Store,
  conversationId: ConversationId,
  changes: readonly Change[],
  run: { readonly fence?: number } = {},
): Promise<void> {
  for (const change of changes) {
    const outcome = await store.write({ conversationId, at: BEGIN + 300_000, change, ...run });
    if (outcome !== 'written') throw new Error(`${change.type}: ${outcome}`);
  }
}

async function writeFork(store: Store): Promise<void> {
  const { id, title, workspace, messages } = FORK;
  const conversation = { id, kind: 'chat', title, model: MODEL, createdAt: BEGIN + 300_000 } as const;
  const [queued] = FORK_QUEUE;
  await writeAll(store, id, [
    { type: 'conversation_forked', conversation, workspace, from: PLAIN.id, throughSeq: 4 },
    ...messages.slice(4).map((message) => ({ type: 'message_added', message }) as const),
    { type: 'message_queued', ...queued },
    { type: 'draft_set', ...FORK_DRAFT },
  ]);
}

async function writeSubAgent(store: Store): Promise<void> {
  const { id, description } = SUB_AGENT;
  const conversation = { id, kind: 'sub_agent', title: description, model: MODEL, createdAt: BEGIN + 100 } as const;
  const words = [{ type: 'text', text: 'One, and it is grey.' }] as const;
  await writeAll(store, id, [
    { type: 'conversation_created', conversation, workspace: HARBOUR },
    { type: 'sub_agent_created', subAgent: SUB_AGENT },
    { type: 'message_added', message: answered(1, { parts: words }) },
  ]);
}

async function writeLeave(store: Store): Promise<void> {
  const { id, title, workspace, messages } = LEAVE;
  const conversation = { id, kind: 'chat', title, model: MODEL, createdAt: BEGIN + 300_000 } as const;
  await writeAll(store, id, [
    { type: 'conversation_created', conversation, workspace },
    { type: 'mode_set', mode: 'auto_edit' },
    ...LEAVE_RULES.map((rule) => ({ type: 'permission_granted', rule }) as const),
    { type: 'run_started', fence: 1 },
  ]);
  await writeAll(
    store,
    id,
    [
      ...messages.map((message) => ({ type: 'message_added', message }) as const),
      ...LEAVE_VERSIONS.map(
        ({ version, state }, idx) => ({ type: 'file_version_set', seq: 2, idx, version, state }) as const,
      ),
      { type: 'run_suspended' },
    ],
    { fence: 1 },
  );
}
