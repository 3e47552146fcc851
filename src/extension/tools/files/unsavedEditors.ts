/** Documents that are open in the editor with changes that are not saved. Paths are real and absolute. */
export interface UnsavedEditors {
  /** The text of the document of this file, when it holds changes that are not saved; undefined otherwise. */
  text(path: string): string | undefined;
  /**
   * Puts `after` in place of `before` in such a document, as one edit that the person can undo there; it stays unsaved.
   * False: the document holds something else by now, or does not take the edit.
   */
  replace(path: string, before: string, after: string): Promise<boolean>;
}
