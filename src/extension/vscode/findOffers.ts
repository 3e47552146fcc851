import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ServerOffer } from '../../protocol/status';
import { systemClock } from '../base/clock';
import { probe, serverCandidates } from '../ollama/candidates';
import type { ModelServer } from './modelServer';

/** What may help in this window where no server answers: places where one does, and what can be set up. Never rejects. */
export async function findOffers(server: ModelServer, signal: AbortSignal): Promise<readonly ServerOffer[]> {
  const routes = await readRoutes();
  const candidates = serverCandidates(vscode.env.remoteName, routes === undefined ? {} : { routes });
  return probe(candidates, (baseUrl) => server.clientFor(baseUrl), systemClock, signal);
}

/** The routes of this machine; undefined where the system does not tell them in this way. */
async function readRoutes(): Promise<string | undefined> {
  try {
    return await readFile('/proc/net/route', 'utf8');
  } catch {
    return undefined;
  }
}
