import type { Connection, ConnectionSource } from '../../src/extension/storage/connection';

/** A connection that nobody else uses, and that is not opened anew. */
export function alone(connection: Connection): ConnectionSource {
  return { connect: () => Promise.resolve(connection), discard: () => Promise.resolve() };
}
