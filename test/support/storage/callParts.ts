import * as fc from 'fast-check';
import type { ApprovalAnswer, ApprovalRequest, ApprovalSubject, Grant, Rule } from '../../../src/protocol/approval';
import type { FileChange } from '../../../src/protocol/fileChange';
import type { ToolPart, ToolResult } from '../../../src/protocol/part';

/** Well-formed texts of all sorts: what is not is repaired on its way. */
const text = fc.string({ unit: 'binary', maxLength: 30 });
const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
const count = fc.nat();
const time = fc.integer({ min: 0, max: 2 ** 48 });
// JSON has no -0: what is drawn is what a file can hold.
const json = fc
  .dictionary(text, fc.jsonValue(), { maxKeys: 4 })
  .map((drawn) => JSON.parse(JSON.stringify(drawn)) as typeof drawn);

/** With each of the keys in `optional` there or not. */
function record<T extends object, K extends keyof T>(
  model: { readonly [Key in keyof T]: fc.Arbitrary<T[Key]> },
  ...optional: readonly K[]
): fc.Arbitrary<Omit<T, K> & Partial<Pick<T, K>>> {
  const requiredKeys = (Object.keys(model) as (keyof T)[]).filter((key) => !optional.some((other) => other === key));
  return fc.record(model, { requiredKeys }) as fc.Arbitrary<Omit<T, K> & Partial<Pick<T, K>>>;
}

const change: fc.Arbitrary<FileChange> = record(
  {
    path: text,
    kind: fc.constantFrom('created', 'changed'),
    added: count,
    removed: count,
    hunks: fc.array(fc.record({ oldStart: count, newStart: count, lines: fc.array(text, { maxLength: 4 }) }), {
      maxLength: 3,
    }),
    hunksLeftOut: count,
    undone: fc.constant(true as const),
  },
  'undone',
);

export const anyRule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ kind: fc.constant('files' as const), pattern: word }),
  fc.record({
    kind: fc.constant('program' as const),
    words: fc.array(text, { minLength: 1, maxLength: 4 }),
    exact: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('tool' as const), tool: word }),
);

const subject: fc.Arbitrary<ApprovalSubject> = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), change, outside: fc.boolean() }),
  fc.record({ kind: fc.constant('read' as const), path: text }),
  record(
    { kind: fc.constant('command' as const), command: text, folder: text, shell: text, timeoutMs: count },
    'timeoutMs',
  ),
  fc.record({ kind: fc.constant('input' as const), command: text, text }),
  fc.record({ kind: fc.constant('memory' as const), scope: fc.constantFrom('folder', 'everywhere'), text }),
  record({ kind: fc.constant('other' as const), tool: text, from: text, arguments: json }, 'from'),
);

const grant: fc.Arbitrary<Grant> = fc.oneof(
  fc.record({ kind: fc.constant('rule' as const), rule: anyRule }),
  fc.record({ kind: fc.constant('answer' as const) }),
);

export const anyApproval: fc.Arbitrary<ApprovalRequest> = fc.record({
  id: word,
  askedAt: time,
  subject,
  reasons: fc.uniqueArray(
    fc.constantFrom(
      'mode',
      'outside',
      'settings',
      'hooks',
      'own_data',
      'profile',
      'ignored',
      'memory',
      'foreign',
      'unsaved',
    ),
  ),
  grants: fc.array(grant, { maxLength: 3 }),
  digest: text,
});

const answer: fc.Arbitrary<ApprovalAnswer> = fc.oneof(
  fc.record({ kind: fc.constant('allow' as const) }),
  fc.record({ kind: fc.constant('grant' as const), grant: count }),
  record({ kind: fc.constant('deny' as const), words: text }, 'words'),
);

const image = fc
  .uint8Array({ minLength: 1, maxLength: 200 })
  .map((bytes) => ({ mediaType: 'image/png', bytes: bytes.length, data: Buffer.from(bytes).toString('base64') }));

/** Now and then so long that it stands beside its part. */
const content = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: word.map((each) => each.repeat(70_000)) },
);

const result: fc.Arbitrary<ToolResult> = record(
  { content, summary: text, exitCode: fc.integer({ min: -1, max: 255 }), image },
  'summary',
  'exitCode',
  'image',
);

/** A call in any state, with anything that can stand in it. One that waits for leave has asked for it. */
export const anyCall: fc.Arbitrary<ToolPart> = fc
  .tuple(
    record(
      {
        type: fc.constant('tool' as const),
        name: text,
        callId: text,
        arguments: json,
        state: fc.constantFrom(
          'pending',
          'awaiting_approval',
          'running',
          'done',
          'error',
          'denied',
          'expired',
          'interrupted',
        ),
        effects: fc.constant(true as const),
        approval: anyApproval,
        answer,
        change,
        output: fc.record({ text, bytes: count }),
        result,
        startedAt: time,
        endedAt: time,
      },
      'callId',
      'effects',
      'approval',
      'answer',
      'change',
      'output',
      'result',
      'startedAt',
      'endedAt',
    ),
    anyApproval,
  )
  .map(([part, approval]) => (part.state === 'awaiting_approval' ? { approval, ...part } : part));
