import { isJsonObject } from './goJson';

/** What a body must hold beside being valid. */
export interface BodyExpectations {
  /** Stands at the beginning of the first message, which is the only one of the system. */
  readonly system?: string;
  /** The person's last message: stands in a message of the user, as it is or with something of ours around it. */
  readonly question?: string;
}

/** The part of a logged request that is looked at. */
export interface SentBody {
  readonly body: unknown;
}

/**
 * What is wrong with the bodies of chats, in words with the number of the request; empty when all of them are valid by
 * themselves and each model was asked with one window only, since another one makes a server load it again.
 */
export function bodyFaults(
  chats: readonly SentBody[],
  expected: BodyExpectations | ((index: number) => BodyExpectations) = {},
): readonly string[] {
  const faults = chats.flatMap(({ body }, index) =>
    faultsOf(body, typeof expected === 'function' ? expected(index) : expected).map(
      (fault) => `request ${index + 1}: ${fault}`,
    ),
  );
  return [...faults, ...windowFaults(chats)];
}

/** What is wrong with one body of a chat. Not every server says so: a broken prompt only makes the model stupid. */
export function faultsOf(body: unknown, expected: BodyExpectations = {}): readonly string[] {
  if (!isJsonObject(body)) return ['the body is no object'];
  const faults: string[] = [];
  if (!isWellFormed(body)) faults.push('a text is not well-formed');
  const messages = Array.isArray(body['messages']) ? (body['messages'] as readonly unknown[]) : [];
  if (messages.length === 0) return [...faults, 'there are no messages'];
  const read = messages.map(readMessage);
  for (const [index, message] of read.entries()) {
    if (message === undefined) faults.push(`message ${index} has no role or no text`);
  }
  const whole = read.filter((message) => message !== undefined);
  return [...faults, ...pairFaults(whole), ...roleFaults(whole, expected)];
}

interface SentMessage {
  readonly role: string;
  readonly content: string;
  readonly calls: readonly SentCall[];
  readonly toolName: unknown;
  readonly toolCallId: unknown;
}

interface SentCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
}

function readMessage(message: unknown): SentMessage | undefined {
  if (!isJsonObject(message)) return undefined;
  const { role, content, tool_calls: calls, tool_name: toolName, tool_call_id: toolCallId } = message;
  if (typeof role !== 'string' || typeof content !== 'string') return undefined;
  return { role, content, calls: Array.isArray(calls) ? calls.map(readCall) : [], toolName, toolCallId };
}

function readCall(call: unknown): SentCall {
  const outer = isJsonObject(call) ? call : {};
  const called = isJsonObject(outer['function']) ? outer['function'] : {};
  return { id: outer['id'], name: called['name'], arguments: called['arguments'] };
}

/** Each call has its result, right after the message that made it and in the order of the calls. */
function pairFaults(messages: readonly SentMessage[]): readonly string[] {
  const faults: string[] = [];
  let owed: SentCall[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const call = owed.shift();
      if (call === undefined) faults.push(`message ${index} is a result without a call`);
      else if (message.toolCallId !== call.id || message.toolName !== call.name) {
        faults.push(`message ${index} is not the result of the call that is next`);
      }
      continue;
    }
    if (owed.length > 0) faults.push(`${owed.length} calls before message ${index} have no result`);
    owed = [...message.calls];
    if (owed.length > 0 && message.role !== 'assistant') faults.push(`message ${index} calls and is no answer`);
    for (const call of owed) {
      if (!isJsonObject(call.arguments)) faults.push(`a call in message ${index} has arguments that are no object`);
      if (typeof call.id !== 'string' || call.id === '') faults.push(`a call in message ${index} has no id`);
      if (typeof call.name !== 'string') faults.push(`a call in message ${index} has no name`);
    }
    if (message.role === 'assistant' && message.content === '' && owed.length === 0) {
      faults.push(`message ${index} says nothing`);
    }
  }
  if (owed.length > 0) faults.push(`${owed.length} calls at the end have no result`);
  return faults;
}

function roleFaults(messages: readonly SentMessage[], expected: BodyExpectations): readonly string[] {
  const faults: string[] = [];
  const [first] = messages;
  if (first?.role !== 'system' || first.content === '') faults.push('the system prompt is not first');
  else if (expected.system !== undefined && !first.content.startsWith(expected.system)) {
    faults.push('the system prompt is another one');
  }
  if (messages.slice(1).some((message) => message.role === 'system')) {
    faults.push('there is a second message of the system');
  }
  const said = messages.filter((message) => message.role === 'user');
  if (said.length === 0) faults.push('there is no message of the user');
  const { question } = expected;
  if (question !== undefined && !said.some((message) => message.content.includes(question))) {
    faults.push("the person's last message is not in it");
  }
  const last = messages.at(-1);
  if (last?.role === 'assistant') faults.push('the last message is an answer, which asks for nothing');
  return faults;
}

function windowFaults(chats: readonly SentBody[]): readonly string[] {
  const windows = new Map<unknown, Set<unknown>>();
  for (const { body } of chats) {
    if (!isJsonObject(body)) continue;
    const options = isJsonObject(body['options']) ? body['options'] : {};
    const model = body['model'];
    windows.set(model, (windows.get(model) ?? new Set()).add(options['num_ctx']));
  }
  return [...windows].flatMap(([model, seen]) => {
    const [size] = seen;
    const shown = [...seen].map(String).join(', ');
    if (seen.size > 1) return [`${String(model)} was asked with windows of ${shown} tokens`];
    return typeof size === 'number' && size > 0 ? [] : [`${String(model)} was asked without a window`];
  });
}

/** Every text in it, keys included. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item));
}
