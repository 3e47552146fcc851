import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { HIGHLIGHT_CHARS, HIGHLIGHT_LINE_CHARS } from '../limits';
import { whenIdle } from '../whenIdle';

/** Highlighted code by language and text, newest last: a row scrolled back into view has its colours at once. */
const done = new Map<string, ComponentChild>();
const KEPT = 200;

/**
 * `text`, in colours as soon as the page is idle, plain until then. Only code that is `whole` is highlighted: while it
 * grows, each frame would highlight all of it again.
 */
export function useHighlighted(language: string, text: string, whole: boolean): ComponentChild {
  const key = `${language}\n${text}`;
  const [, redraw] = useState(0);
  const ready = done.get(key);
  useEffect(() => {
    if (!whole || ready !== undefined || !isWorthIt(language, text)) return undefined;
    let wanted = true;
    const cancel = whenIdle(() => {
      void highlightInto(key, language, text).then((changed) => {
        if (wanted && changed) redraw((count) => count + 1);
      });
    });
    return () => {
      wanted = false;
      cancel();
    };
  }, [key, whole, ready, language, text]);
  return ready ?? text;
}

async function highlightInto(key: string, language: string, text: string): Promise<boolean> {
  // The grammars are half as large as the page itself, so they come when the first code does.
  const { highlight } = await import('./highlighter');
  const nodes = highlight(language, text);
  if (nodes === undefined) return false;
  done.set(key, nodes);
  for (const oldest of done.keys()) {
    if (done.size <= KEPT) break;
    done.delete(oldest);
  }
  return true;
}

/** Grammars may take long for lines that no person wrote. */
function isWorthIt(language: string, text: string): boolean {
  if (language === '' || text.length > HIGHLIGHT_CHARS) return false;
  return text.split('\n').every((line) => line.length <= HIGHLIGHT_LINE_CHARS);
}
