import { modelWords } from '../modelWords';
import type { PageStore } from '../store/pageStore';

/** Something that is done by typing its name at the start of the composer. */
export interface Command {
  readonly name: string;
  readonly does: string;
  /** Why it cannot be done now. */
  readonly not?: string;
}

const words = modelWords.commands;

const ALL = [
  { name: '/compact', does: words.compact },
  { name: '/new', does: words.new },
  { name: '/resume', does: words.resume },
  { name: '/model', does: words.model },
] as const;

/** The commands that `draft` may become; undefined when it is not the beginning of one. */
export function commandsFor(draft: string, running: boolean): readonly Command[] | undefined {
  if (!/^\/[a-z]*$/i.test(draft)) return undefined;
  const typed = draft.toLowerCase();
  return ALL.filter(({ name }) => name.startsWith(typed)).map((command) =>
    running && command.name === '/compact' ? { ...command, not: modelWords.meter.compactRunning } : command,
  );
}

/** Does it, in place of the text that named it. */
export function runCommand(page: PageStore, command: Command): void {
  page.ui.setDraft('');
  switch (command.name as (typeof ALL)[number]['name']) {
    case '/compact':
      return void page.compact();
    case '/new':
      return void page.run('newConversation');
    case '/resume':
      return void page.run('resumeConversation');
    case '/model':
      return page.showPopup('model');
  }
}
