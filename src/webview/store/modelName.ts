import type { ModelInfo, PullState, WindowFacts } from '../../protocol/status';

/** Whether two names mean one model: Ollama takes a name without a tag for that of the latest. */
export function isSameModel(a: string, b: string): boolean {
  return withTag(a) === withTag(b);
}

function withTag(name: string): string {
  return name.includes(':', name.lastIndexOf('/') + 1) ? name : `${name}:latest`;
}

/** What the server says of a model; undefined when it does not answer, or does not hold it. */
export function modelInfo(facts: WindowFacts | undefined, model: string | undefined): ModelInfo | undefined {
  if (facts?.server.kind !== 'up' || model === undefined) return undefined;
  return facts.server.models.find((info) => isSameModel(info.name, model));
}

/** Whether the server is known not to hold `model`. */
export function isMissing(facts: WindowFacts | undefined, model: string): boolean {
  return facts?.server.kind === 'up' && modelInfo(facts, model) === undefined;
}

/** How it stands with getting `model`, when it is asked for. */
export function pullOf(facts: WindowFacts | undefined, model: string): PullState | undefined {
  return facts?.pulls?.find((pull) => isSameModel(pull.model, model));
}
