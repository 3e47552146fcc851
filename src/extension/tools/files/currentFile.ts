import type { FileState } from '../../base/fileVersion';
import { failed, succeeded, type Result } from '../../base/result';
import type { FilePlace } from '../filePlace';
import { refused, type ToolOutcome } from '../tool';
import type { ToolHost } from '../toolHost';
import { contentHash } from './contentHash';
import { readState } from './diskFile';
import { decodeBytes, encodeText, UTF8, type DecodedText } from './textCodec';

/** A text file as it is now: on the disk, or in the editor when what is there is not saved. */
export interface CurrentText {
  readonly decoded: DecodedText;
  /** For a text in the editor: what would be saved. */
  readonly state: FileState;
  readonly hash: string;
}

/** Reads the file at a place; undefined: there is none. What is no text file is a failure in words. */
export async function currentText(
  host: Pick<ToolHost, 'editors'>,
  place: FilePlace,
): Promise<Result<CurrentText | undefined, ToolOutcome>> {
  const onDisk = await readState(place);
  if (!onDisk.ok) return failed(refused(`${onDisk.failure.sentence} Nothing was changed.`, onDisk.failure.summary));
  const decoded = onDisk.value && decodeBytes(onDisk.value.bytes);
  const unsaved = host.editors.text(place.real);
  if (unsaved !== undefined) return succeeded(currentOf({ text: unsaved, form: decoded?.form ?? UTF8 }, onDisk.value));
  if (onDisk.value === undefined) return succeeded(undefined);
  if (decoded !== undefined) return succeeded(currentOf(decoded, onDisk.value));
  return failed(refused(`${place.shown} is a binary file, not text. Nothing was changed.`, 'binary'));
}

function currentOf(decoded: DecodedText, onDisk: FileState | undefined): CurrentText {
  const bytes = encodeText(decoded.text, decoded.form);
  return { decoded, state: { bytes, mode: onDisk?.mode ?? 0 }, hash: contentHash(decoded.text) };
}
