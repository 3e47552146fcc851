import * as vscode from 'vscode';
import * as z from 'zod';
import type { FileChange } from '../../protocol/fileChange';
import type { Part, ToolPart } from '../../protocol/part';
import type { CallParams } from '../../protocol/wire';
import type { Reader } from '../storage/reading/reader';
import type { StoredFileState } from '../storage/rows/versionRows';
import { decodeText } from '../tools/textFile';
import { callSchema } from './pageSchemas';

const SCHEME = 'holdfast-change';

/** What a document shows: what a file held, by the name of its bytes, or something that a call answered. */
const shownSchema = z.union([
  z.object({ hash: z.string().nullable() }),
  z.object({ call: callSchema, what: z.enum(['output', 'patch']) }),
]);
type Shown = z.output<typeof shownSchema>;

/** Documents that nobody can write: files before and after a change, as the history keeps them, and outputs of calls. */
export class ChangeDocuments implements vscode.TextDocumentContentProvider {
  readonly #reader: Pick<Reader, 'readVersionBytes'>;
  readonly #partOf: (call: CallParams) => Promise<Part | undefined>;

  constructor(reader: Pick<Reader, 'readVersionBytes'>, partOf: (call: CallParams) => Promise<Part | undefined>) {
    this.#reader = reader;
    this.#partOf = partOf;
  }

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const shown = shownSchema.safeParse(parsed(uri.query));
    if (!shown.success) return '';
    return 'hash' in shown.data ? this.#version(shown.data.hash) : this.#ofCall(shown.data);
  }

  async #version(hash: string | null): Promise<string> {
    if (hash === null) return '';
    const bytes = await this.#reader.readVersionBytes(hash);
    if (bytes === undefined) return '(The history does not hold this file any more.)';
    return decodeText(bytes) ?? '(This file is no text.)';
  }

  async #ofCall({ call, what }: Extract<Shown, { readonly what: string }>): Promise<string> {
    const part = await this.#partOf(call);
    if (part?.type !== 'tool') return '(The history does not hold this call any more.)';
    if (what === 'output') return part.result?.content ?? part.output?.text ?? '';
    const change = changeOf(part);
    return change === undefined ? '' : patchOf(change);
  }
}

/** A file as it was, or was to be; undefined: it was not there, and its document is empty. */
export function versionUri(path: string, state: Pick<StoredFileState, 'hash'> | undefined): vscode.Uri {
  return uriOf(path, { hash: state?.hash ?? null });
}

/** What a call answered. `name`: of the document. */
export function outputUri(name: string, call: CallParams): vscode.Uri {
  return uriOf(name, { call, what: 'output' });
}

/** The shown lines of a change that no version is kept of. */
export function patchUri(path: string, call: CallParams): vscode.Uri {
  return uriOf(`${path}.diff`, { call, what: 'patch' });
}

/** What a call changed, or would change. */
export function changeOf({ change, approval }: ToolPart): FileChange | undefined {
  return change ?? (approval?.subject.kind === 'edit' ? approval.subject.change : undefined);
}

function uriOf(path: string, shown: Shown): vscode.Uri {
  const steps = path.replaceAll('\\', '/').replace(/^\/*/, '/');
  return vscode.Uri.from({ scheme: SCHEME, path: steps, query: JSON.stringify(shown) });
}

function patchOf({ path, hunks, hunksLeftOut }: FileChange): string {
  const places = hunks.map(({ oldStart, newStart, lines }) => {
    const [before, after] = [lines.filter((line) => line[0] !== '+'), lines.filter((line) => line[0] !== '-')];
    return [`@@ -${oldStart},${before.length} +${newStart},${after.length} @@`, ...lines].join('\n');
  });
  const left = hunksLeftOut === 0 ? [] : [`(${hunksLeftOut} more changed places are not shown.)`];
  return [`--- ${path}`, `+++ ${path}`, ...places, ...left, ''].join('\n');
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
