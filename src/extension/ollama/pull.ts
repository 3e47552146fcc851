import { amountIn, stringIn } from './json';
import type { PullEvent } from './modelClient';
import type { ServerConnection } from './serverConnection';
import { StreamedRequest } from './streamedRequest';

/** What the server says when it has got a model. */
const SUCCESS = 'success';

/** Makes the server get a model. The connection closes when the signal aborts or the reader leaves: then it pauses. */
export async function* pullModel(
  server: ServerConnection,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<PullEvent, void, undefined> {
  const request = new StreamedRequest(server, signal);
  let closing: PullEvent = { type: 'done' };
  try {
    for await (const record of request.records((client) => client.pull({ model, stream: true }))) {
      if (signal.aborted) break;
      const status = stringIn(record['status']) ?? '';
      // The library reads no further than this.
      if (status === SUCCESS) break;
      const digest = stringIn(record['digest']);
      const completed = amountIn(record['completed']);
      const total = amountIn(record['total']);
      yield {
        type: 'progress',
        status,
        ...(digest === undefined ? {} : { digest }),
        // Left out by the server while it is nothing.
        ...(total === undefined ? {} : { total, completed: completed ?? 0 }),
      };
    }
  } catch (error) {
    closing = { type: 'failed', failure: request.failure(error) };
  } finally {
    request.close();
  }
  yield signal.aborted ? { type: 'aborted' } : closing;
}
