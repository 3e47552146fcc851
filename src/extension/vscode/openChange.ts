import { readFile, stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ToolPart } from '../../protocol/part';
import type { CallParams, Reply } from '../../protocol/wire';
import type { LiveConversation } from '../conversations/liveConversation';
import { partOf } from '../conversations/saving/storedPart';
import type { Reader } from '../storage/reading/reader';
import { StorageError } from '../storage/storageError';
import type { StoredVersion } from '../storage/rows/versionRows';
import { changeOf, outputUri, patchUri, versionUri } from './changeDocuments';
import { focusBackAfter } from './focusBack';
import { folderOf } from './folder';
import { openInside } from './links';

type OpenReader = Pick<Reader, 'readOlderPage' | 'readFileVersions' | 'readVersionBytes'>;

const NO_CALL: Reply = { ok: false, message: 'This call is not in the history file any more.' };
const NO_CHANGE: Reply = { ok: false, message: 'This call changed no file.' };

/** Shows what a call changed, or would change, in the editor's own view of differences. */
export function openDiff(live: LiveConversation, call: CallParams, reader: OpenReader): Promise<Reply> {
  return withCall(live, call, reader, async (part) => {
    const versions = await reader.readFileVersions(live.id, call.seq, call.seq);
    const version = versions.find(({ idx }) => idx === call.idx);
    const change = changeOf(part);
    if (version === undefined && change === undefined) return NO_CHANGE;
    if (version !== undefined) await showDiff(version, reader);
    // Of a file outside the folder nothing is kept but the lines that the request shows.
    else if (change !== undefined) await vscode.window.showTextDocument(patchUri(change.path, call));
    return { ok: true };
  });
}

/** Shows the file that a call is about in an editor. */
export function openFile(live: LiveConversation, call: CallParams, reader: OpenReader): Promise<Reply> {
  return withCall(live, call, reader, async (part) => {
    const named = fileOf(part);
    if (named === undefined) return { ok: false, message: 'This call is about no file.' };
    const root = folderOf(live.workspace)?.uri;
    const [start, line] = [part.arguments['start_line'], changeOf(part)?.hunks[0]?.newStart ?? 0];
    return openInside(named.path, typeof start === 'number' ? start : line, root, named.outside);
  });
}

/** Shows what a call answered in an editor. */
export function openOutput(live: LiveConversation, call: CallParams, reader: OpenReader): Promise<Reply> {
  return withCall(live, call, reader, async (part) => {
    const document = await vscode.workspace.openTextDocument(outputUri(`Output of ${part.name}`, call));
    await vscode.window.showTextDocument(document, { preview: true });
    return { ok: true };
  });
}

async function withCall(
  live: LiveConversation,
  { seq, idx }: CallParams,
  reader: OpenReader,
  open: (part: ToolPart) => Promise<Reply>,
): Promise<Reply> {
  try {
    const part = await partOf(live, reader, seq, idx);
    return part?.type === 'tool' ? await open(part) : NO_CALL;
  } catch (error) {
    return { ok: false, message: StorageError.from(error).sentence };
  }
}

async function showDiff(version: StoredVersion, reader: OpenReader): Promise<void> {
  const { before, after, state } = version;
  const isTheFile = state === 'applied' && (await holdsAfter(version, reader));
  const right = isTheFile ? vscode.Uri.file(version.path) : versionUri(version.path, after);
  const title = `${path.basename(version.path)} (${STATES[state]})`;
  await vscode.commands.executeCommand('vscode.diff', versionUri(version.path, before), right, title, {
    preview: true,
  });
  focusBackAfter(right);
}

const STATES: { readonly [State in StoredVersion['state']]: string } = {
  proposed: 'proposed',
  applied: 'changed',
  undone: 'undone',
};

/** Whether the file on the disk is what the change made of it. */
async function holdsAfter({ path: file, after }: StoredVersion, reader: OpenReader): Promise<boolean> {
  const bytes = after === undefined ? undefined : await reader.readVersionBytes(after.hash);
  if (bytes === undefined) return false;
  try {
    const { size } = await stat(file);
    return size === bytes.byteLength && Buffer.compare(await readFile(file), bytes) === 0;
  } catch {
    return false; // There is no such file any more, or it cannot be read.
  }
}

/** `outside`: the person gave leave to use it, or was asked for that, though it lies outside the folder. */
function fileOf(part: ToolPart): { readonly path: string; readonly outside: boolean } | undefined {
  const subject = part.approval?.subject;
  if (subject?.kind === 'edit') return { path: subject.change.path, outside: subject.outside };
  if (subject?.kind === 'read') return { path: subject.path, outside: true };
  const written = part.change?.path ?? part.arguments['path'];
  return typeof written === 'string' ? { path: written, outside: false } : undefined;
}
