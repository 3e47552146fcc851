/** What one place of a pattern stands for: a character, any one but `/`, any number of them, or any text at all. */
export type GlobStep = string | typeof ANY_ONE | typeof ANY_NAME | typeof ANY_TEXT;

const ANY_ONE = Symbol('any one');
const ANY_NAME = Symbol('any name');
const ANY_TEXT = Symbol('any text');

/** Whether some text is matched by both patterns. Upper and lower case are the same. */
export function overlaps(one: readonly GlobStep[], other: readonly GlobStep[]): boolean {
  // By how much of `other` is used up, for each place in `one`: no pattern takes longer than the product of both.
  let row = new Set(closure([0], other));
  for (const step of one) {
    const next = new Set<number>();
    if (isMany(step)) {
      // Nothing of it, or as much of the other as it may stand for.
      const open = [...row];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        if (next.has(at)) continue;
        next.add(at);
        const there = other[at];
        if (there !== undefined && common(step, there)) open.push(...closure([at + 1], other));
      }
    } else {
      for (const at of row) {
        const there = other[at];
        if (there === undefined || !common(step, there)) continue;
        for (const after of closure(isMany(there) ? [at] : [at + 1], other)) next.add(after);
      }
    }
    if (next.size === 0) return false;
    row = next;
  }
  return row.has(other.length);
}

/** A word of a command line as a shell reads it. Whatever it may become that is not known for sure is any text. */
export function shellSteps(word: string): readonly GlobStep[] {
  const steps: GlobStep[] = [];
  for (let at = 0; at < word.length; at += 1) {
    const sign = word.charAt(at);
    const group = groupEnd(word, at);
    if (sign === '\\' && at + 1 < word.length) steps.push(lower(word.charAt((at += 1))));
    else if (group !== undefined) {
      steps.push(/[/$`]|\*\*/.test(word.slice(at, group)) ? ANY_TEXT : ANY_NAME);
      at = group;
    } else if (sign === '$' || sign === '`') return [...steps, ANY_TEXT];
    else at = readWildcard(word, at, steps);
  }
  return steps;
}

/** The ways in which a line of an ignore file names a file; none for one that names nothing or takes something back. */
export function ruleSteps(line: string): readonly (readonly GlobStep[])[] {
  const rule = line.replace(/\r$/, '').replace(/(?<!\\)\s+$/, '');
  if (rule === '' || rule.startsWith('#') || rule.startsWith('!')) return [];
  const bare = rule.replace(/\/+$/, '').replace(/^\*{2,}\//, '');
  const anchored = bare.includes('/');
  const steps: GlobStep[] = [];
  const text = bare.replace(/^\//, '');
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\' && at + 1 < text.length) steps.push(lower(text.charAt((at += 1))));
    else at = readWildcard(text, at, steps);
  }
  const below: GlobStep[] = [...steps, '/', ANY_TEXT];
  if (anchored && !/^\*{2,}\//.test(rule)) return [steps, below];
  return [steps, below, [ANY_TEXT, '/', ...steps], [ANY_TEXT, '/', ...below]];
}

/** Whether a word may be more to a shell than its characters. */
export function isGlob(word: string): boolean {
  return /[*?[{(\\$`]/.test(word);
}

/** Adds what stands at one place of a pattern, and answers where that ends. */
function readWildcard(pattern: string, at: number, steps: GlobStep[]): number {
  switch (pattern.charAt(at)) {
    case '*': {
      const stars = /^\*+/.exec(pattern.slice(at))?.[0].length ?? 1;
      steps.push(stars > 1 ? ANY_TEXT : ANY_NAME);
      // The `/` behind two goes along: `a/**/b` names `a/b` too.
      return at + stars - (stars > 1 && pattern.charAt(at + stars) === '/' ? 0 : 1);
    }
    case '?':
      steps.push(ANY_ONE);
      return at;
    case '[': {
      // As its first character `]` is one of those that are meant.
      const first = /^[!^]/.test(pattern.slice(at + 1)) ? at + 3 : at + 2;
      const end = pattern.indexOf(']', first);
      // Readers disagree about a bracket that nothing closes.
      steps.push(end < 0 ? ANY_TEXT : ANY_ONE);
      return end < 0 ? at : end;
    }
    default:
      steps.push(lower(pattern.charAt(at)));
      return at;
  }
}

/** Where alternatives end that begin here: `{a,b}`, `{1..3}`, `(a|b)`, `+(a)`. */
function groupEnd(word: string, at: number): number | undefined {
  const brace = word.charAt(at) === '{';
  if (!brace && !/^[?*+@!]?\(/.test(word.slice(at, at + 2))) return undefined;
  const end = word.lastIndexOf(brace ? '}' : ')');
  if (end < at || (brace && !/,|\.\./.test(word.slice(at, end)))) return undefined;
  return end;
}

function isMany(step: GlobStep): boolean {
  return step === ANY_NAME || step === ANY_TEXT;
}

/** Whether a character is among what both stand for. */
function common(one: GlobStep, other: GlobStep): boolean {
  if (typeof one !== 'string') return typeof other !== 'string' || one === ANY_TEXT || other !== '/';
  return typeof other === 'string' ? one === other : other === ANY_TEXT || one !== '/';
}

/** These places of a pattern and those that are reached from them with no character. */
function closure(places: readonly number[], steps: readonly GlobStep[]): readonly number[] {
  const reached = [...places];
  for (const place of reached) {
    const step = steps[place];
    if (step !== undefined && isMany(step)) reached.push(place + 1);
  }
  return reached;
}

function lower(character: string): string {
  return character.toLowerCase();
}
