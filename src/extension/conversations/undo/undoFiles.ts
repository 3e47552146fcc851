import { failed, succeeded } from '../../base/result';
import { applyState } from '../../tools/files/applyState';
import { readState } from '../../tools/files/diskFile';
import type { UnsavedEditors } from '../../tools/files/unsavedEditors';
import { versionPlace } from '../../tools/files/versionPlace';
import { textOf, type UndoFiles } from './undo';

/** The files of a folder that undo looks at and puts back. `root`: real path of the folder. */
export function undoFiles(root: string, editors: UnsavedEditors): UndoFiles {
  const placeOf = (path: string): ReturnType<typeof versionPlace> => versionPlace(root, path);
  return {
    shown: (path) => placeOf(path).shown,
    look: async (path) => {
      const place = placeOf(path);
      // A history whose folder was moved: what lies at the old place is not this folder's any more.
      if (place.outside) return failed(`${place.shown} is not in this folder.`);
      const text = editors.text(path);
      if (text !== undefined) return succeeded({ kind: 'editor', text });
      const state = await readState(place);
      if (!state.ok) return failed(state.failure.sentence);
      return succeeded(state.value === undefined ? { kind: 'absent' } : { kind: 'file', state: state.value });
    },
    put: async (path, now, to) => {
      const place = placeOf(path);
      if (now.kind !== 'editor') {
        const applied = await applyState(editors, place, now.kind === 'file' ? now.state : undefined, to);
        return applied.ok ? succeeded(undefined) : failed(applied.failure.sentence);
      }
      const text = to === undefined ? undefined : textOf(to);
      if (text === undefined)
        return failed(`${place.shown} is open with changes that are not saved. Save or revert it.`);
      if (await editors.replace(path, now.text, text)) return succeeded(undefined);
      return failed(`${place.shown} was changed in the editor meanwhile.`);
    },
  };
}
