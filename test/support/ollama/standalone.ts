import { parseArgs } from 'node:util';
import { OllamaServer } from './ollamaServer';
import { STAND_IN_MODEL, standInModel } from './standInModel';

/**
 * Runs the stand-in model as a process of its own until SIGTERM, SIGINT or the end of its IPC channel.
 *
 * - `--port N`: default 0, a free port
 * - `--tokens-per-second N`: default 40
 * - `--exit-with-parent`: also ends when its standard input does
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      'tokens-per-second': { type: 'string', default: '40' },
      'exit-with-parent': { type: 'boolean', default: false },
    },
  });
  const server = await OllamaServer.start({
    port: Number(values.port),
    models: [STAND_IN_MODEL],
    fallback: standInModel({ tokensPerSecond: Number(values['tokens-per-second']) }),
  });
  const end = (): void => void server.close().then(() => process.exit(0));
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.once('disconnect', end);
  if (values['exit-with-parent']) process.stdin.once('end', end).once('error', end).resume();
  process.stdout.write(`listening on ${server.url}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
