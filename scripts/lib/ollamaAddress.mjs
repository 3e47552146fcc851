/** Where Ollama is, and whether it answers. */

const DEFAULT = '127.0.0.1:11434';
const TIMEOUT_MS = 2000;

/**
 * Asks the Ollama that the person uses, at `OLLAMA_HOST` or the usual address.
 * @returns {Promise<{ host: string, version: string | undefined }>} without a version when nothing answers
 */
export async function findOllama() {
  // The variable may hold a scheme, and for servers the address 0.0.0.0, which is none to connect to.
  const named = (process.env.OLLAMA_HOST ?? '').trim().replace(/^0\.0\.0\.0(?=:|$)/, '127.0.0.1');
  const host = named === '' ? DEFAULT : /:\d+\/?$/.test(named) || named.includes('://') ? named : `${named}:11434`;
  try {
    const url = new URL('/api/version', host.includes('://') ? host : `http://${host}`);
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { version } = /** @type {{ version?: string }} */ (await answer.json());
    return { host, version };
  } catch {
    return { host, version: undefined };
  }
}
