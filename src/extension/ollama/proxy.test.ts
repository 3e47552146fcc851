import * as http from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { unaborted, useClientBench } from '../../../test/support/ollama/clientBench';
import { ManualClock } from '../../../test/support/manualClock';
import type * as exchangeModule from './exchange';

const bench = useClientBench();

/**
 * The code as it is shipped, in an editor that has put its proxy behind the names `http` and `https`: what is asked
 * for through it ends at the server of the test, and is noted.
 */
function behindProxy(noted: string[]): typeof exchangeModule {
  const source = fileURLToPath(new URL('exchange.ts', import.meta.url));
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const proxied = (url: URL, options: http.RequestOptions): http.ClientRequest => {
    noted.push(url.href);
    return http.request(new URL(url.pathname, bench.server.url), options);
  };
  const require = createRequire(import.meta.url);
  const patched = (name: string): unknown =>
    name === 'http' || name === 'https' ? { ...(require(name) as object), request: proxied } : require(name);
  const module = { exports: {} };
  compileFunction(outputFiles[0]!.text, ['require', 'module', 'exports'])(patched, module, module.exports);
  return module.exports as typeof exchangeModule;
}

describe('the proxy of the editor', () => {
  it('is never asked for this machine', async () => {
    const noted: string[] = [];
    const { Exchange } = behindProxy(noted);
    for (const host of ['127.0.0.1', 'localhost']) {
      const exchange = new Exchange(unaborted, new ManualClock());
      const response = await exchange.fetch(`${bench.server.url.replace('127.0.0.1', host)}/api/version`);
      expect(await response.json()).toEqual({ version: '0.32.15' });
      exchange.close();
    }
    expect(noted).toEqual([]);
  });

  it.each(['http://gpu.example.org:11434', 'https://gpu.example.org', 'http://10.0.0.7:11434'])(
    'is asked for %s',
    async (remote) => {
      const noted: string[] = [];
      const { Exchange } = behindProxy(noted);
      const exchange = new Exchange(unaborted, new ManualClock());
      const response = await exchange.fetch(`${remote}/api/version`);
      expect(await response.json()).toEqual({ version: '0.32.15' });
      expect(noted).toEqual([`${remote}/api/version`]);
      exchange.close();
    },
  );
});
