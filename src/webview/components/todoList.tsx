import type { VNode } from 'preact';
import type { JsonObject } from '../../protocol/part';
import { strings } from '../strings';
import { Icon } from './icon';
import { todoItems } from './todoItems';

const ICONS = { done: 'pass', doing: 'record', open: 'circle-large' } as const;

/** The steps that the model has set itself, and how far it is. */
export function TodoList({ args }: { args: JsonObject }): VNode {
  return (
    <ul class="body todo" aria-label={strings.todo.list}>
      {todoItems(args).map(({ state, text }, index) => (
        <li key={index} class={state}>
          <Icon name={ICONS[state]} />
          <span>
            <span class="sr">{strings.todo[state]}</span>
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}
