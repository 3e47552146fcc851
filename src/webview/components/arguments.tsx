import type { VNode } from 'preact';
import type { JsonObject } from '../../protocol/part';
import { plain } from '../plain';
import { strings } from '../strings';

/** What a tool was given, as text. `of`: what it is given to. */
export function Arguments({ more, of }: { more: JsonObject; of: string }): VNode | null {
  const entries = Object.entries(more);
  if (entries.length === 0) return null;
  return (
    <pre class="args" role="group" tabIndex={0} aria-label={strings.argumentsOf(of)}>
      <code dir="ltr">{plain(entries.map(([key, value]) => `${key}: ${written(value)}`).join('\n'))}</code>
    </pre>
  );
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}
