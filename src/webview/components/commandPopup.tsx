import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { popupWords } from '../popupWords';
import type { Command } from './commands';

const words = popupWords.commands;

interface CommandPopupProps {
  readonly id: string;
  readonly commands: readonly Command[];
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onTake: (command: Command) => void;
}

/** The commands, above the composer. The focus stays in the text. */
export function CommandPopup({ id, commands, active, onActive, onTake }: CommandPopupProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('.is-active')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div class="popup" ref={list} onPointerDown={(event) => event.preventDefault()}>
      <div role="listbox" id={id} aria-label={words.list}>
        {commands.length === 0 && (
          <div class="opt none" role="option" aria-selected={false} aria-disabled={true}>
            {words.none}
          </div>
        )}
        {commands.map((command, index) => (
          <div
            key={command.name}
            id={`${id}-${index}`}
            class={index === active ? 'opt row is-active' : 'opt row'}
            role="option"
            aria-selected={index === active}
            aria-disabled={command.not !== undefined}
            title={command.not ?? command.does}
            onPointerMove={() => onActive(index)}
            onClick={() => onTake(command)}
          >
            <span class="main">{command.name}</span>
            <span class="dir">{command.not ?? command.does}</span>
          </div>
        ))}
      </div>
      {commands.length > 0 && (
        <div class="keys" aria-hidden="true">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> {words.choose}
          </span>
          <span>
            <kbd>Enter</kbd> {words.run}
          </span>
          <span>
            <kbd>Esc</kbd> {words.close}
          </span>
        </div>
      )}
    </div>
  );
}
