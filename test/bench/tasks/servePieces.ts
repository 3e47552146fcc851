import { OllamaServer } from '../../support/ollama/ollamaServer';
import { MODEL } from '../../support/windows/liveTalk';
import { workloadText } from '../workload';
import { untilMoment } from './untilMoment';

const TOKEN_CHARS = 4;

/** How long a reply is and how fast it comes. */
export interface PacedReply {
  readonly tokens: number;
  readonly tokensPerSecond: number;
}

/** A model server on `port` that answers one chat for each of `replies`, a record for each token. It ends with the last. */
export async function servePieces(args: {
  readonly port: number;
  readonly replies: readonly PacedReply[];
}): Promise<{ readonly tokens: number }> {
  const server = await OllamaServer.start({ port: args.port, models: [MODEL] });
  for (const { tokens, tokensPerSecond } of args.replies) {
    const text = workloadText(tokens * TOKEN_CHARS);
    server.script(async function* () {
      const since = Date.now();
      for (let token = 0; token < tokens; token += 1) {
        await untilMoment(since + (token * 1_000) / tokensPerSecond);
        yield { content: text.slice(token * TOKEN_CHARS, (token + 1) * TOKEN_CHARS) };
      }
    });
  }
  for (const _ of args.replies) await (await server.nextChat()).ended;
  await server.close();
  return { tokens: args.replies.reduce((sum, { tokens }) => sum + tokens, 0) };
}
