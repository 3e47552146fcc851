import type { Tokens } from 'marked';
import type { VNode } from 'preact';
import { CopyButton } from '../components/copy';
import { useFold } from '../components/useFold';
import { useHighlighted } from '../highlight/useHighlighted';
import { CODE_LINES, CODE_LINES_FOLDED } from '../limits';
import { strings } from '../strings';
import { languageName, languageOf } from './languages';

/** Code of an answer: what language it is, Copy, and its lines; of a long one the first, until it is unfolded. */
export function CodeBlock(props: { token: Tokens.Code; fold: string; growing: boolean }): VNode {
  const { token } = props;
  const fold = useFold(`code:${props.fold}`);
  const language = languageOf(token.lang);
  const name = languageName(language);
  const lines = countLines(token.text);
  const folds = lines > CODE_LINES;
  const shown = folds && !fold.open ? firstLines(token.text, CODE_LINES_FOLDED) : token.text;
  const whole = !props.growing || isClosed(token.raw);
  return (
    <figure class="frame code">
      <div class="code-bar">
        <span class="path">
          <span class="cut">{name === '' ? strings.plainCode : name}</span>
        </span>
        <CopyButton name={strings.copyCode} text={token.text} />
      </div>
      <pre role="group" tabIndex={0} aria-label={strings.code(name)}>
        <code dir="ltr">{useHighlighted(language, shown, whole)}</code>
      </pre>
      {folds && (
        <div class="more">
          <button class="btn ghost" type="button" aria-expanded={fold.open} onClick={fold.toggle}>
            {fold.open ? strings.showLess : strings.showAllLines(lines)}
          </button>
        </div>
      )}
    </figure>
  );
}

/** Whether the closing fence has come. */
function isClosed(raw: string): boolean {
  const fence = /^[ \t]*(`{3,}|~{3,})/.exec(raw)?.[1];
  return fence === undefined || raw.trimEnd().endsWith(`\n${fence}`) || /\n[ \t]*[`~]{3,}$/.test(raw.trimEnd());
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function firstLines(text: string, count: number): string {
  let at = -1;
  for (let line = 0; line < count; line += 1) at = text.indexOf('\n', at + 1);
  return at < 0 ? text : text.slice(0, at);
}
