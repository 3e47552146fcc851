import type { ClientId } from '../../src/protocol/ids';
import type { Message } from '../../src/protocol/message';
import type { Part } from '../../src/protocol/part';

/** Sizes of the workload, in bytes. All of it is ASCII: one character is one byte. */
const USER_TEXT_BYTES = 300;
const ANSWER_TEXT_BYTES = 2_048;
const ARGUMENTS_BYTES = 200;
const RESULT_BYTES = 4_096;

const SEED = 0x5eed;
const FIRST_AT = Date.UTC(2026, 0, 1);
const SECOND_MS = 1_000;

const SYLLABLES = 'ba da fo ga hi ka lo mi nu pa re sa te vo wi zu an el in or ust ent ath ing'.split(' ');
const VOCABULARY_WORDS = 2_000;
const VOCABULARY = vocabulary();

/**
 * Message `seq` of every conversation of the bench: even ones are the person's, odd ones an answer with one tool call.
 * The same `seq` gives the same words, whatever was made before.
 */
export function workloadMessage(seq: number): Message {
  const random = randomFrom(SEED + seq);
  const createdAt = FIRST_AT + seq * SECOND_MS;
  if (seq % 2 === 0) {
    return {
      seq,
      role: 'user',
      status: 'done',
      clientId: `bench-${seq}` as ClientId,
      createdAt,
      parts: [{ type: 'text', text: words(random, USER_TEXT_BYTES) }],
    };
  }
  return {
    seq,
    role: 'assistant',
    status: 'done',
    model: 'bench:8b',
    createdAt,
    endedAt: createdAt + SECOND_MS,
    parts: [
      { type: 'text', text: words(random, ANSWER_TEXT_BYTES) },
      {
        type: 'tool',
        name: 'read_file',
        arguments: toolArguments(random),
        state: 'done',
        result: { content: words(random, RESULT_BYTES), summary: '80 lines' },
        startedAt: createdAt,
        endedAt: createdAt + SECOND_MS,
      },
    ],
  };
}

export function workloadMessages(firstSeq: number, count: number): readonly Message[] {
  return Array.from({ length: count }, (_, index) => workloadMessage(firstSeq + index));
}

/** Words of the workload, `bytes` long. */
export function workloadText(bytes: number): string {
  return words(randomFrom(SEED), bytes);
}

/** What the person and the model said, in UTF-8 bytes: texts, arguments and results, nothing around them. */
export function payloadBytes(message: Message): number {
  return message.parts.reduce((sum, part) => sum + partBytes(part), 0);
}

function partBytes(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
    case 'notice':
      return Buffer.byteLength(part.text);
    case 'tool':
      return Buffer.byteLength(JSON.stringify(part.arguments)) + Buffer.byteLength(part.result?.content ?? '');
    case 'attachment':
      return part.bytes;
    case 'unknown':
      return Buffer.byteLength(part.json);
  }
}

function toolArguments(random: () => number): { readonly path: string } {
  const around = JSON.stringify({ path: '' }).length;
  return { path: words(random, ARGUMENTS_BYTES - around) };
}

/** Frequent words are much more frequent than rare ones, as in real text. */
function words(random: () => number, bytes: number): string {
  let text = '';
  while (text.length < bytes) text += `${VOCABULARY[Math.floor(VOCABULARY.length * random() ** 3)]} `;
  return text.slice(0, bytes);
}

function vocabulary(): readonly string[] {
  const random = randomFrom(SEED);
  const syllable = () => SYLLABLES[Math.floor(SYLLABLES.length * random())] ?? '';
  const found = new Set<string>();
  while (found.size < VOCABULARY_WORDS) {
    found.add(Array.from({ length: 1 + Math.floor(4 * random()) }, syllable).join(''));
  }
  return [...found];
}

/** Mulberry32: small, and the same on every machine. Answers numbers from 0 to below 1. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
