/**
 * The rules with a wider one behind each in which two stars are glued to other characters of a path, as in `b**`
 * with more steps behind. Its manual calls such stars regular ones, but git lets them match `/`, too (measured with 2.39); the
 * library that reads the rules here does not. So all is hidden that git could mean: more rather than less.
 */
export function withGluedStars(rules: string): string {
  return rules
    .split('\n')
    .flatMap((line) => {
      const wider = widerRule(line);
      return wider === undefined ? [line] : [line, wider];
    })
    .join('\n');
}

/** A negation that matches more in git hides less there: it stays as it is. */
function widerRule(line: string): string | undefined {
  if (line.startsWith('#') || line.startsWith('!')) return undefined;
  const path = line.trimEnd();
  // Without a path, a rule is about names: there the two agree.
  if (!path.replace(/\/$/, '').includes('/')) return undefined;
  const steps = path.split('/');
  const at = steps.findIndex((step) => step !== '**' && step.includes('**'));
  const [before = '', ...behind] = steps[at]?.split('**') ?? [];
  if (at < 0) return undefined;
  // What begins like it at its place, or else what ends like it at any.
  if (before !== '') return `/${[...steps.slice(0, at), `${before}*`].filter((step) => step !== '').join('/')}`;
  return `*${behind.join('*')}`;
}
