import type { FileState } from '../../base/fileVersion';
import type { FilePlace } from '../filePlace';
import { answered, refused, type Planned, type ToolOutcome } from '../tool';
import type { ToolHost } from '../toolHost';
import { applyState } from './applyState';
import { contentHash } from './contentHash';
import type { CurrentText } from './currentFile';
import { describeChange } from './describeChange';
import { strayTrouble } from './strayBytes';
import { decodeBytes, encodeText, UTF8 } from './textCodec';

/** A text that a file is to have. */
export interface WantedText {
  readonly place: FilePlace;
  /** As it is now; undefined: there is none. */
  readonly before: CurrentText | undefined;
  readonly text: string;
  /** Whether the model has written all of the text, and not only a part. */
  readonly whole: boolean;
  /** What to tell the model when it is done. */
  readonly done: string;
}

/** A call that gives a file its text when it has leave to: in the editor when the file is open there and not saved. */
export function plannedChange(host: ToolHost, { place, before, text, whole, done }: WantedText): Planned {
  if (before?.decoded.text === text) {
    const same = `${place.shown} has this content already: there is nothing to change.`;
    return answeredFor(place, { ok: true, content: same, summary: 'nothing to change' });
  }
  const trouble = before && strayTrouble(before.decoded, text, place.shown);
  if (trouble !== undefined) return answeredFor(place, trouble);
  const after: FileState = {
    bytes: encodeText(text, before?.decoded.form ?? UTF8),
    mode: before?.state.mode ?? newFileMode(),
  };
  const change = describeChange(place.shown, before?.decoded.text, text);
  return {
    kind: 'ready',
    action: { kind: 'edit', place, change },
    [place.outside ? 'unkept' : 'version']: { path: place.real, before: before?.state, after },
    run: async () => {
      const applied = await applyState(host.editors, place, before?.state, after);
      if (!applied.ok) {
        const { kind, sentence } = applied.failure;
        const again = kind === 'changed' ? ' Read it again.' : '';
        return refused(sentence + again, kind === 'changed' ? 'changed meanwhile' : 'not written');
      }
      const written = decodeBytes(after.bytes);
      if (written !== undefined) {
        const hash = contentHash(written.text);
        if (whole) host.seen.told(place.real, hash, true);
        else host.seen.edited(place.real, hash);
      }
      const unsaved =
        applied.value === 'editor'
          ? ' It is open in the editor with changes that are not saved: it was changed there only, and commands still see ' +
            'what is on the disk.'
          : '';
      return { ok: true, content: done + unsaved, summary: `+${change.added} −${change.removed}`, change };
    },
  };
}

/** An answer that tells what is in a file. That of one outside the workspace folder is given with leave to read it only. */
export function answeredFor(place: FilePlace, outcome: ToolOutcome): Planned {
  if (!place.outside) return answered(outcome);
  return { kind: 'ready', action: { kind: 'read', place }, run: () => Promise.resolve(outcome) };
}

/** The words for a file that is another one than the model was told. */
export function changedSince(place: FilePlace): ToolOutcome {
  return refused(
    `${place.shown} was changed since you read it. Nothing was changed now. Read it again with read_file first.`,
    'changed since it was read',
  );
}

/** Permission bits that the process gives new files; 0 where the system has none. */
function newFileMode(): number {
  return process.platform === 'win32' ? 0 : 0o666 & ~process.umask();
}
