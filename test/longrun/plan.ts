import type { JsonObject, JsonValue } from '../support/ollama/goJson';
import type { ToolCall } from '../support/ollama/chatStep';
import type { Random } from '../torture/random';

/** Where a stream breaks off. */
export type Break = 'start' | 'text' | 'call';

/** What the model does with one request. */
export type Act =
  | {
      readonly kind: 'calls';
      readonly calls: readonly ToolCall[];
      readonly where: 'record' | 'done';
      readonly apart: boolean;
    }
  | { readonly kind: 'say' }
  /** A call written as text. */
  | { readonly kind: 'text_call'; readonly call: ToolCall; readonly form: 'json' | 'fenced' | 'tag' | 'function' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'only_thinking' }
  /** Thinks in tags within the text, and never closes them when `open`. */
  | { readonly kind: 'leaked_thinking'; readonly open: boolean }
  | { readonly kind: 'cut'; readonly at: Break; readonly how: 'eof' | 'reset' | 'error' }
  | { readonly kind: 'length'; readonly at: Exclude<Break, 'start'> }
  | { readonly kind: 'refuse'; readonly status: number; readonly error: string };

const REFUSALS: readonly { readonly status: number; readonly error: string }[] = [
  {
    status: 500,
    error: `error parsing tool call: raw='{"path":"a.ts"}]', err=invalid character ']' after top-level value`,
  },
  {
    status: 500,
    error:
      'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details',
  },
  { status: 503, error: 'server busy, please try again.  maximum pending requests exceeded' },
];

const FAULTS = {
  nothing: 3,
  only_thinking: 2,
  leaked_thinking: 2,
  cut: 5,
  length: 3,
  refuse: 4,
} as const;

/** Share of the requests at which something goes wrong, and of the turns in which the model repeats itself. */
const FAULT_SHARE = 0.18;
const REPEAT_SHARE = 0.04;
/** How often the model makes the same call when it repeats itself: more often than anybody lets it. */
const REPEATS = 8;

/** What the model does in one turn, request by request. Every turn has a call. */
export function planTurn(random: Random, paths: readonly string[]): readonly Act[] {
  const acts: Act[] = [];
  const fault = (): void => {
    if (random.chance(FAULT_SHARE)) acts.push(faultOf(random));
  };
  if (random.chance(REPEAT_SHARE)) {
    const call = goodCall(random, paths);
    return [...Array.from({ length: REPEATS }, (): Act => calls([call], 'record', false)), { kind: 'say' }];
  }
  for (let left = random.between(1, 3); left > 0; left -= 1) {
    fault();
    acts.push(callsOf(random, paths));
  }
  fault();
  acts.push({ kind: 'say' });
  return acts;
}

function callsOf(random: Random, paths: readonly string[]): Act {
  if (random.chance(0.08)) {
    return {
      kind: 'text_call',
      call: goodCall(random, paths),
      form: random.pick(['json', 'fenced', 'tag', 'function'] as const) ?? 'json',
    };
  }
  const count = random.chance(0.3) ? random.between(2, 4) : 1;
  const made = Array.from({ length: count }, () =>
    random.chance(0.2) ? badCall(random, paths) : goodCall(random, paths),
  );
  return calls(made, random.chance(0.25) ? 'done' : 'record', random.chance(0.5));
}

function calls(made: readonly ToolCall[], where: 'record' | 'done', apart: boolean): Act {
  return { kind: 'calls', calls: made, where, apart };
}

function goodCall(random: Random, paths: readonly string[]): ToolCall {
  const path = random.pick(paths) ?? 'README.md';
  const start = random.between(1, 300);
  const choices: readonly ToolCall[] = [
    { name: 'read_file', arguments: { path } },
    { name: 'read_file', arguments: { path, start_line: start, end_line: start + random.between(0, 200) } },
    { name: 'list_files', arguments: { path: random.pick(['.', 'src', 'docs', 'edge']) ?? '.' } },
    { name: 'search_text', arguments: { query: random.pick(['needle', '数据库', '🏷', 'harbour', 'nowhere']) ?? '' } },
  ];
  return random.pick(choices) ?? { name: 'list_files', arguments: {} };
}

/** Calls as small models make them. */
function badCall(random: Random, paths: readonly string[]): ToolCall {
  const path = random.pick(paths) ?? 'README.md';
  const bad: readonly { readonly name: string; readonly arguments: JsonValue; readonly id?: string }[] = [
    { name: 'read_file', arguments: {} },
    { name: 'read_file', arguments: null },
    { name: 'read_file', arguments: [path] },
    { name: 'read_file', arguments: JSON.stringify({ path }) },
    { name: 'read_file', arguments: `{"path": "${path}"` },
    { name: 'read_file', arguments: { arguments: { path } } },
    { name: 'read_file', arguments: { path, start_line: '10', end_line: '20' } },
    { name: 'read_file', arguments: { path: ['a', 'b'] } },
    { name: 'read_file', arguments: { path: '../outside.txt' } },
    { name: 'read_file', arguments: { path: 'no/such/file.ts' } },
    { name: 'read_file', arguments: { path }, id: 'call_always_the_same' },
    { name: 'read_file', arguments: { path }, id: '' },
    { name: 'functions.Read_File<|call|>', arguments: { path } },
    { name: 'write_everything', arguments: { path, content: '🏷'.repeat(50) } },
    { name: 'search_text', arguments: { query: '\ud83c', extra: { deep: ['\udff7'] } } },
    { name: '', arguments: { path } },
  ];
  return random.pick(bad) ?? { name: 'nothing', arguments: {} };
}

function faultOf(random: Random): Act {
  const kind = random.weighted(FAULTS);
  switch (kind) {
    case 'nothing':
    case 'only_thinking':
      return { kind };
    case 'leaked_thinking':
      return { kind, open: random.chance(0.3) };
    case 'cut': {
      const at = random.pick(['start', 'text', 'call'] as const) ?? 'text';
      return { kind, at, how: random.pick(['eof', 'reset', 'error'] as const) ?? 'eof' };
    }
    case 'length':
      return { kind, at: random.chance(0.5) ? 'text' : 'call' };
    case 'refuse':
      return { kind, ...(random.pick(REFUSALS) ?? { status: 500, error: 'unknown' }) };
  }
}

/** The call as some models write it into their text. */
export function writtenCall({ name, arguments: args }: ToolCall, form: 'json' | 'fenced' | 'tag' | 'function'): string {
  const json = JSON.stringify({ name, arguments: args });
  switch (form) {
    case 'json':
      return json;
    case 'fenced':
      return `\`\`\`json\n${json}\n\`\`\``;
    case 'tag':
      return `<tool_call>\n${json}\n</tool_call>`;
    case 'function':
      return `<function=${name}>${Object.entries(args as JsonObject)
        .map(
          ([key, value]) =>
            `<parameter=${key}>${typeof value === 'string' ? value : JSON.stringify(value)}</parameter>`,
        )
        .join('')}</function>`;
  }
}
