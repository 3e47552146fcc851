import { findModel, readKeepAlive } from './chatAdmission';
import { parseBody } from './chatRequest';
import { isJsonObject } from './goJson';
import type { HttpReply } from './httpReply';
import { DEFAULT_KEEP_ALIVE_MS } from './loadedModels';
import type { LoadedModels } from './loadedModels';
import type { ModelSet } from './modelSet';

/** What loading works with. */
export interface LoadSurroundings {
  readonly models: ModelSet;
  readonly loaded: LoadedModels;
  readonly now: () => Date;
  /** Tokens. */
  readonly defaultContextLength: number;
  /** Resolves when a model that is not in memory has been read. */
  readonly reading: () => Promise<unknown>;
}

/** Answers `/api/generate` for loading and unloading. It completes no prompts. */
export async function answerGenerate(bodyText: string, around: LoadSurroundings, reply: HttpReply): Promise<void> {
  const parsed = parseBody(bodyText);
  if (!parsed.ok) return reply.json(parsed.status, { error: parsed.error });
  const { model: wanted, prompt, keep_alive: keepAlive, options, shift } = parsed.body;
  const name = typeof wanted === 'string' ? wanted : '';
  const found = findModel(name, around.models);
  if (!found.ok) {
    // Ollama protocol: here an impossible name is an unknown one.
    const status = found.error === 'invalid model name' ? 404 : found.status;
    return reply.json(status, { error: status === 404 ? `model '${name}' not found` : found.error });
  }
  if (typeof prompt === 'string' && prompt !== '') {
    return reply.json(501, { error: 'this test server completes no prompts' });
  }
  const keepAliveMs = readKeepAlive(
    typeof keepAlive === 'string' || typeof keepAlive === 'number' ? keepAlive : undefined,
  );
  if (keepAliveMs === undefined) {
    return reply.json(400, { error: `time: invalid duration ${JSON.stringify(keepAlive)}` });
  }
  const { model } = found;
  if (keepAliveMs === 0) {
    around.loaded.unload(model);
  } else {
    const asked = isJsonObject(options) ? options['num_ctx'] : undefined;
    const window = typeof asked === 'number' ? asked : (model.numCtx ?? around.defaultContextLength);
    const shifts = shift !== false;
    if (!around.loaded.has(model, window, shifts)) {
      around.loaded.unload(model);
      await Promise.race([around.reading(), reply.gone.opened]);
      if (reply.gone.isOpen) return;
    }
    around.loaded.use(model, window, keepAliveMs || DEFAULT_KEEP_ALIVE_MS, shifts);
  }
  reply.json(200, {
    model: name,
    created_at: around.now().toISOString(),
    response: '',
    done: true,
    done_reason: keepAliveMs === 0 ? 'unload' : 'load',
  });
}
