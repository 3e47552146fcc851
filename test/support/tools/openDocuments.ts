import type { UnsavedEditors } from '../../../src/extension/tools/files/unsavedEditors';

/** Documents of an editor that are open with changes that are not saved, by real path. */
export class OpenDocuments implements UnsavedEditors {
  readonly texts = new Map<string, string>();

  text(path: string): string | undefined {
    return this.texts.get(path);
  }

  replace(path: string, before: string, after: string): Promise<boolean> {
    if (this.texts.get(path) !== before) return Promise.resolve(false);
    this.texts.set(path, after);
    return Promise.resolve(true);
  }
}
