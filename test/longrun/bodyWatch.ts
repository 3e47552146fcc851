import { faultsOf } from '../support/ollama/bodyChecks';
import type { ChatRequest } from '../support/ollama/chatRequest';
import { isJsonObject } from '../support/ollama/goJson';
import { TokenCount } from '../support/ollama/tokenCount';
import { isSummaryRequest } from './scriptedModel';

/** What the person and the window have said so far, as far as the next body must show it. */
export interface SaidSoFar {
  /** One of these must stand in the body: the message that is being answered, and those that wait to be. */
  readonly questions: readonly string[];
  /** The newest summary that the window has recorded. */
  readonly summary?: string;
}

/** A body that is not as it must be. */
export interface BodyProblem {
  readonly request: number;
  readonly faults: readonly string[];
  readonly body: unknown;
}

/** Looks at every body of a chat as it arrives. */
export class BodyWatch {
  readonly problems: BodyProblem[] = [];
  readonly #system: string;
  readonly #contextLength: number;
  readonly #windows = new Set<unknown>();
  readonly #keepAlives = new Set<unknown>();
  #requests = 0;
  #summaries = 0;
  readonly #tokens = new TokenCount();
  #longest = 0;

  /** `system` begins every first message; `contextLength` (tokens) is the window of every request. */
  constructor(system: string, contextLength: number) {
    this.#system = system;
    this.#contextLength = contextLength;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Requests for a summary, which count as requests, too. */
  get summaries(): number {
    return this.#summaries;
  }

  /** Tokens of the longest prompt. */
  get longest(): number {
    return this.#longest;
  }

  /** Different values of `num_ctx` and of `keep_alive` over all requests. */
  get windows(): readonly unknown[] {
    return [...this.#windows];
  }

  get keepAlives(): readonly unknown[] {
    return [...this.#keepAlives];
  }

  /** `body` as it came; `request` as the server reads it. */
  look(body: unknown, request: ChatRequest, said: SaidSoFar): void {
    this.#requests += 1;
    const isSummary = isSummaryRequest(request);
    if (isSummary) this.#summaries += 1;
    this.#windows.add(isJsonObject(request.options) ? request.options['num_ctx'] : undefined);
    this.#keepAlives.add(request.keep_alive);
    const faults = [
      ...faultsOf(body, { system: this.#system }),
      ...this.#windowFaults(request),
      ...(isSummary ? [] : saidFaults(request, said)),
    ];
    if (faults.length > 0) this.problems.push({ request: this.#requests, faults, body });
  }

  #windowFaults(request: ChatRequest): readonly string[] {
    const faults: string[] = [];
    const window = isJsonObject(request.options) ? request.options['num_ctx'] : undefined;
    if (window !== this.#contextLength) faults.push(`its window is ${JSON.stringify(window)}`);
    const tokens = this.#tokens.countPromptTokens(request);
    this.#longest = Math.max(this.#longest, tokens);
    if (tokens > this.#contextLength) faults.push(`its prompt has ${tokens} tokens: the server would cut it`);
    return faults;
  }
}

function saidFaults(request: ChatRequest, { questions, summary }: SaidSoFar): readonly string[] {
  const faults: string[] = [];
  const own = request.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  if (!own.some((content) => questions.some((question) => content.includes(question)))) {
    faults.push(`the person's last message is not in it: ${questions.join(' | ').slice(0, 200)}`);
  }
  if (summary !== undefined && !request.messages.some(({ content }) => content.includes(summary))) {
    faults.push(`the newest summary is not in it: ${summary.slice(0, 200)}`);
  }
  return faults;
}
