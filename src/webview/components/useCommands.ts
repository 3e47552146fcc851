import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePage } from './context';
import { commandsFor, runCommand, type Command } from './commands';
import { movedBy } from './listKeys';

/** The list of commands while one is being typed. */
export interface Commands {
  /** Undefined while it is closed. */
  readonly shown: readonly Command[] | undefined;
  readonly active: number;
  readonly setActive: (index: number) => void;
  readonly take: (command: Command) => void;
  /** Answers whether the key was meant for the list. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Opens with `/` at the start of the draft, and closes with Esc until another command is begun. */
export function useCommands(draft: string): Commands {
  const page = usePage();
  const active = useSignal(0);
  const dismissed = useSignal(false);
  const matching = commandsFor(draft, page.running.value);
  const typing = matching !== undefined;
  useEffect(() => {
    active.value = 0;
  }, [draft]);
  useEffect(() => {
    if (!typing) dismissed.value = false;
  }, [typing]);
  const shown = dismissed.value || page.popup.value !== undefined ? undefined : matching;
  const at = Math.min(active.value, Math.max(0, (shown?.length ?? 0) - 1));

  const take = (command: Command): void => {
    if (command.not === undefined) runCommand(page, command);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (shown === undefined) return false;
    const target = event.shiftKey || event.ctrlKey ? undefined : movedBy(event.key, at, shown.length);
    const command = shown[at];
    if (event.key === 'Escape') dismissed.value = true;
    else if (target !== undefined) active.value = target;
    // Without a match it is a message like any other.
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && command !== undefined) take(command);
    else return false;
    event.preventDefault();
    return true;
  };
  return { shown, active: at, setActive: (index) => (active.value = index), take, onKey };
}
