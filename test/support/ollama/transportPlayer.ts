import type { TransportStep } from './chatStep';
import { goJson } from './goJson';
import { JSON_TYPE } from './httpReply';
import type { HttpReply } from './httpReply';

/** How a reply looks on the wire where a step does not say. */
export interface ReplyForm {
  readonly type: string;
  /** The content type of an error that is sent with a status of its own. */
  readonly errorType: string;
  /** What ends an error line after the first record. */
  readonly lineEnd: string;
}

/** Ollama protocol: a stream; its errors with a status have no charset, unlike all others. */
export const STREAM_FORM: ReplyForm = { type: 'application/x-ndjson', errorType: 'application/json', lineEnd: '\n' };

/** Ollama protocol: everything that is not a stream. */
export const OBJECT_FORM: ReplyForm = { type: JSON_TYPE, errorType: JSON_TYPE, lineEnd: '' };

/** Plays a step that needs no model; returns whether the reply goes on. */
export async function playTransport(
  step: TransportStep,
  reply: HttpReply,
  form: ReplyForm,
): Promise<'continues' | 'over'> {
  if ('wait' in step) {
    await reply.pause(step.wait);
    return 'continues';
  }
  if ('until' in step) {
    // How the promise settles is the test's business; the stream goes on either way.
    await Promise.race([step.until.catch(() => undefined), reply.gone.opened]);
    return 'continues';
  }
  if ('raw' in step) {
    await reply.stream(Buffer.from(step.raw), form.type);
    return 'continues';
  }
  if ('reset' in step) {
    reply.reset();
  } else if ('eof' in step) {
    if (!reply.isStarted) await reply.stream(Buffer.alloc(0), form.type);
    reply.end();
  } else if ('body' in step) {
    reply.text(step.status, step.body, step.contentType);
  } else if (reply.isStarted) {
    // Ollama protocol: in the stream only the key `error` is sent.
    await reply.stream(Buffer.from(goJson({ error: step.error }) + form.lineEnd), form.type);
    reply.end();
  } else {
    reply.json(step.status ?? 500, { error: step.error, ...step.extra }, form.errorType);
  }
  return 'over';
}
