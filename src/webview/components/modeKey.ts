/** Ctrl+. (Cmd on a Mac), which opens the menu of modes and closes it. */
export function isModeKey(event: KeyboardEvent): boolean {
  return event.key === '.' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
}
