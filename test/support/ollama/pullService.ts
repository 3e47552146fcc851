import { parseBody } from './chatRequest';
import type { TransportStep } from './chatStep';
import { goJson } from './goJson';
import type { JsonObject } from './goJson';
import type { HttpReply } from './httpReply';
import { fullModelName, installedModel } from './modelSet';
import type { ModelSet, ModelSpec } from './modelSet';
import { playTransport, STREAM_FORM } from './transportPlayer';

/** One layer of a model. */
export interface Layer {
  /** Hex, without a prefix. */
  readonly digest: string;
  /** Bytes. */
  readonly total: number;
  /** The bytes that its records tell, growing; default 0 and all of them. Afterwards the layer is there. */
  readonly tells?: readonly number[];
}

/** A model that can be pulled. */
export interface PullableModel {
  readonly model: ModelSpec | string;
  /** Default: one, of the size of the model. */
  readonly layers?: readonly Layer[];
  /** Awaited before the record of so many bytes of a layer. */
  readonly hold?: (completed: number, digest: string) => Promise<unknown> | undefined;
  /** Played after the layers, instead of the end that they would have. */
  readonly tail?: readonly TransportStep[];
}

/**
 * Answers `/api/pull`. What has arrived of a layer stays when the client leaves, and a later pull goes on there
 * (Ollama protocol).
 */
export class PullService {
  private readonly pullable = new Map<string, PullableModel>();
  /** Bytes by layer. */
  private readonly arrived = new Map<string, number>();

  constructor(private readonly models: ModelSet) {}

  /** Makes a model known to the registry from which the server pulls. */
  offer(model: PullableModel): void {
    const { name } = typeof model.model === 'string' ? { name: model.model } : model.model;
    this.pullable.set(fullModelName(name), model);
  }

  async answer(bodyText: string, reply: HttpReply): Promise<void> {
    const parsed = parseBody(bodyText);
    if (!parsed.ok) return reply.json(parsed.status, { error: parsed.error });
    // The library calls it `name`, the documentation `model`.
    const name = parsed.body['model'] ?? parsed.body['name'];
    if (typeof name !== 'string' || name === '') return reply.json(400, { error: 'invalid model name' });
    const streams = parsed.body['stream'] !== false;
    const tell = streams ? (record: JsonObject) => sendRecord(record, reply) : () => Promise.resolve();
    const failed = await this.pull(name, tell, reply);
    if (failed === 'over' || reply.gone.isOpen) return;
    if (!streams) return failed === undefined ? reply.json(200, { status: 'success' }) : reply.json(500, failed);
    if (failed !== undefined) await sendRecord(failed, reply);
    reply.end();
  }

  /** The error that ends it, `'over'` when the script has ended the reply; nothing when the model is there. */
  private async pull(
    name: string,
    tell: (record: JsonObject) => Promise<void>,
    reply: HttpReply,
  ): Promise<{ readonly error: string } | 'over' | undefined> {
    await tell({ status: 'pulling manifest' });
    const found = this.pullable.get(fullModelName(name)) ?? this.installed(name);
    if (found === undefined) return { error: 'pull model manifest: file does not exist' };
    for (const layer of found.layers ?? [soleLayer(found.model)]) {
      if ((await this.pullLayer(layer, found, tell, reply)) === 'left') return 'over';
    }
    for (const step of found.tail ?? []) {
      if ((await playTransport(step, reply, STREAM_FORM)) === 'over') return 'over';
    }
    for (const status of ['verifying sha256 digest', 'writing manifest']) await tell({ status });
    this.models.add(found.model);
    await tell({ status: 'success' });
    return undefined;
  }

  private async pullLayer(
    { digest, total, tells = [0, total] }: Layer,
    { hold }: PullableModel,
    tell: (record: JsonObject) => Promise<void>,
    reply: HttpReply,
  ): Promise<'there' | 'left'> {
    const before = this.arrived.get(digest);
    const told = before === undefined ? tells : [before, ...tells.filter((bytes) => bytes > before)];
    for (const completed of told) {
      await Promise.race([hold?.(completed, digest), reply.gone.opened]);
      if (reply.gone.isOpen) return 'left';
      this.arrived.set(digest, completed);
      await tell({
        status: `pulling ${digest.slice(0, 12)}`,
        digest: `sha256:${digest}`,
        total,
        // Ollama protocol: left out while it is 0.
        completed: completed === 0 ? undefined : completed,
      });
    }
    this.arrived.set(digest, total);
    return 'there';
  }

  private installed(name: string): PullableModel | undefined {
    const model = this.models.find(name);
    if (model === undefined) return undefined;
    const layer = soleLayer(model);
    this.arrived.set(layer.digest, layer.total);
    return { model, layers: [{ ...layer, tells: [layer.total] }] };
  }
}

function soleLayer(spec: ModelSpec | string): Layer {
  const { digest, size } = installedModel(spec);
  return { digest, total: size };
}

async function sendRecord(record: JsonObject, reply: HttpReply): Promise<void> {
  await reply.stream(Buffer.from(`${goJson(record)}\n`), STREAM_FORM.type);
}
