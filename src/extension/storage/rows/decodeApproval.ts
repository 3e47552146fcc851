import * as z from 'zod';
import type { ApprovalAnswer, ApprovalRequest, Rule } from '../../../protocol/approval';
import type { FileChange } from '../../../protocol/fileChange';
import type { JsonObject } from '../../../protocol/part';

/**
 * What a call was asked for, as it stands in JSON columns. Leave is given by what is read here, so each shape is taken
 * whole or not at all: undefined for what does not hold exactly what it should.
 */

const count = z.int().min(0);

const change = z.object({
  path: z.string(),
  kind: z.enum(['created', 'changed']),
  added: count,
  removed: count,
  hunks: z.array(z.object({ oldStart: count, newStart: count, lines: z.array(z.string()) })),
  hunksLeftOut: count,
  undone: z.literal(true).exactOptional(),
});

/** The object itself: it is shown as it is, whatever its keys are. */
const json = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

const subject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('edit'), change, outside: z.boolean() }),
  z.object({ kind: z.literal('read'), path: z.string() }),
  z.object({
    kind: z.literal('command'),
    command: z.string(),
    folder: z.string(),
    shell: z.string(),
    timeoutMs: z.number().exactOptional(),
  }),
  z.object({ kind: z.literal('input'), command: z.string(), text: z.string() }),
  z.object({ kind: z.literal('memory'), scope: z.enum(['folder', 'everywhere']), text: z.string() }),
  z.object({ kind: z.literal('other'), tool: z.string(), from: z.string().exactOptional(), arguments: json }),
]);

const rule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('files'), pattern: z.string().min(1) }),
  z.object({ kind: z.literal('program'), words: z.array(z.string()).min(1), exact: z.boolean() }),
  z.object({ kind: z.literal('tool'), tool: z.string().min(1) }),
]);

const grant = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rule'), rule }),
  z.object({ kind: z.literal('answer') }),
]);

const request = z.object({
  id: z.string().min(1),
  askedAt: z.number(),
  subject,
  reasons: z.array(
    z.enum(['mode', 'outside', 'settings', 'hooks', 'own_data', 'profile', 'ignored', 'memory', 'foreign', 'unsaved']),
  ),
  grants: z.array(grant),
  digest: z.string(),
});

const answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('allow') }),
  z.object({ kind: z.literal('grant'), grant: count }),
  z.object({ kind: z.literal('deny'), words: z.string().exactOptional() }),
]);

export function approvalFrom(value: unknown): ApprovalRequest | undefined {
  return parsed(request, value);
}

export function answerFrom(value: unknown): ApprovalAnswer | undefined {
  return parsed(answer, value);
}

export function changeFrom(value: unknown): FileChange | undefined {
  return parsed(change, value);
}

export function ruleFrom(value: unknown): Rule | undefined {
  return parsed(rule, value);
}

/** Most calls have nothing to read: a failure of zod costs far more than to see that. */
function parsed<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  return value === undefined ? undefined : schema.safeParse(value).data;
}
