import { stat, type FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import { errorCode } from '../../base/errorCode';
import type { FileState } from '../../base/fileVersion';
import { failed, succeeded, type Result } from '../../base/result';
import type { FilePlace } from '../filePlace';
import { openToChange, openToCreate, removeOpened } from '../openPlace';
import { modeOf, reasonOf, stateOf } from './diskFile';
import { decodeBytes } from './textCodec';
import type { UnsavedEditors } from './unsavedEditors';
import { writeInPlace } from './writeInPlace';

/** Where a file was changed: on the disk, or in the editor only, where it is not saved. */
export type ChangedIn = 'disk' | 'editor';

/**
 * Why a file was not changed. `changed`: it is not as it was expected, and nothing was done to it. `sentence`: for the
 * model and the person.
 */
export interface StateTrouble {
  readonly kind: 'changed' | 'failed';
  readonly sentence: string;
}

/**
 * Makes a file what it is wanted to be (undefined: that there is none), if it is what is expected now, and leaves it alone
 * otherwise. It is written in place: bytes exactly, its mode when that is to change. When the editor holds the file with
 * changes that are not saved, the text there is what is compared and changed. Never throws.
 */
export async function applyState(
  editors: UnsavedEditors,
  place: FilePlace,
  expected: FileState | undefined,
  wanted: FileState | undefined,
): Promise<Result<ChangedIn, StateTrouble>> {
  const text = editors.text(place.real);
  if (text !== undefined) return applyToEditor(editors, place, text, expected, wanted);
  try {
    if (expected !== undefined) return await change(place, expected, wanted);
    return wanted === undefined ? succeeded('disk') : await create(place, wanted);
  } catch (error) {
    return failed(troubleOf(place, error));
  }
}

async function applyToEditor(
  editors: UnsavedEditors,
  place: FilePlace,
  text: string,
  expected: FileState | undefined,
  wanted: FileState | undefined,
): Promise<Result<ChangedIn, StateTrouble>> {
  const before = expected && decodeBytes(expected.bytes)?.text;
  const after = wanted && decodeBytes(wanted.bytes)?.text;
  if (before !== text || after === undefined) {
    return failed(changed(`${place.shown} is open in the editor with changes that are not saved.`));
  }
  if (await editors.replace(place.real, before, after)) return succeeded('editor');
  return failed(changed(`${place.shown} was changed in the editor meanwhile.`));
}

async function change(
  place: FilePlace,
  expected: FileState,
  wanted: FileState | undefined,
): Promise<Result<ChangedIn, StateTrouble>> {
  const file = await openToChange(place);
  if (file === undefined) return failed(meanwhile(place));
  try {
    const now = await stateOf(file);
    if (now === undefined || !sameBytes(now.bytes, expected.bytes)) return failed(meanwhile(place));
    if (wanted !== undefined) return await overwrite(place, file, expected, wanted);
    return (await removeOpened(place, file)) ? succeeded('disk') : failed(meanwhile(place));
  } finally {
    await file.close();
  }
}

async function overwrite(
  place: FilePlace,
  file: FileHandle,
  expected: FileState,
  wanted: FileState,
): Promise<Result<ChangedIn, StateTrouble>> {
  if (!sameBytes(expected.bytes, wanted.bytes)) {
    const written = await writeInPlace(file, expected.bytes, wanted.bytes);
    if (!written.ok) {
      const { reason, restored } = written.failure;
      const rest = restored
        ? 'It holds what it held before.'
        : 'What it held before could not be put back: the file is damaged.';
      return failed({ kind: 'failed', sentence: `${place.shown} cannot be written: ${reason}. ${rest}` });
    }
  }
  // A mode that the change did not touch is left as whoever set it meanwhile wanted it.
  if (expected.mode !== wanted.mode) await setMode(file, wanted.mode);
  return succeeded('disk');
}

async function create(place: FilePlace, wanted: FileState): Promise<Result<ChangedIn, StateTrouble>> {
  // Folders are made in the workspace only.
  if (place.outside) await stat(path.dirname(place.real));
  const file = await openToCreate(place, wanted.mode === 0 ? undefined : wanted.mode);
  if (file === undefined) return failed(meanwhile(place));
  try {
    const written = await writeInPlace(file, new Uint8Array(), wanted.bytes);
    if (written.ok) {
      await setMode(file, wanted.mode);
      return succeeded('disk');
    }
    const rest = (await removeOpened(place, file)) ? 'There is no such file.' : 'An empty file is left there.';
    return failed({ kind: 'failed', sentence: `${place.shown} cannot be written: ${written.failure.reason}. ${rest}` });
  } finally {
    await file.close();
  }
}

/** @param mode permission bits; 0: the system has none */
async function setMode(file: FileHandle, mode: number): Promise<void> {
  if (mode !== 0 && (await modeOf(file)) !== mode) await file.chmod(mode);
}

function troubleOf(place: FilePlace, error: unknown): StateTrouble {
  switch (errorCode(error)) {
    case 'ENOENT':
      return changed(`${place.shown}, or the folder it lies in, is not there.`);
    case 'EEXIST':
      return changed(`There is a file ${place.shown} by now.`);
    case 'ELOOP':
      return meanwhile(place);
    default:
  }
  return { kind: 'failed', sentence: `${place.shown} cannot be written: ${reasonOf(error)}.` };
}

function meanwhile(place: FilePlace): StateTrouble {
  return changed(`${place.shown} was changed meanwhile.`);
}

function changed(what: string): StateTrouble {
  return { kind: 'changed', sentence: `${what} Nothing was written.` };
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && Buffer.compare(one, other) === 0;
}
