import { isJsonObject } from './goJson';
import type { JsonObject, JsonValue } from './goJson';

/** The single record of `stream: false`: the last one, with the text and the calls of all. */
export class MergedRecord {
  private last: JsonObject = {};
  private content = '';
  private thinking = '';
  private readonly calls: JsonValue[] = [];

  /** Takes the next record of the answer. */
  add(record: JsonObject): void {
    this.last = record;
    const message = isJsonObject(record['message']) ? record['message'] : {};
    if (typeof message['content'] === 'string') this.content += message['content'];
    if (typeof message['thinking'] === 'string') this.thinking += message['thinking'];
    if (Array.isArray(message['tool_calls'])) this.calls.push(...message['tool_calls']);
  }

  /** What has come together so far; without `done` if the answer was cut off. */
  toJson(): JsonObject {
    return {
      ...this.last,
      message: {
        role: 'assistant',
        content: this.content,
        thinking: this.thinking === '' ? undefined : this.thinking,
        tool_calls: this.calls.length === 0 ? undefined : this.calls,
      },
    };
  }
}
