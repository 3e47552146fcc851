import type { FileState, FileVersion, VersionState } from '../../base/fileVersion';
import { putBlobs } from './blobRows';
import type { SqlRow, Statements } from '../connection';
import { blobOf, type Blob } from './encode';

/** What a file held: the name of its bytes (their SHA-256 in hexadecimal) and its permission bits. */
export interface StoredFileState {
  readonly hash: string;
  readonly mode: number;
}

/** What the call at `seq` and `idx` made of a file, or would. Without `before` or `after` there is no such file then. */
export interface StoredVersion {
  readonly seq: number;
  readonly idx: number;
  /** Real and absolute. */
  readonly path: string;
  readonly state: VersionState;
  readonly before?: StoredFileState;
  readonly after?: StoredFileState;
}

/** Writes a version, in the place of an earlier one of the same call and path. */
export async function putVersion(
  statements: Statements,
  conversation: number,
  place: { readonly seq: number; readonly idx: number },
  version: FileVersion,
  state: VersionState,
): Promise<void> {
  const [before, after] = [named(version.before), named(version.after)];
  await putBlobs(statements, [before?.blob, after?.blob]);
  await statements.run(
    `INSERT INTO file_version (conversation, seq, idx, path, state, before_hash, before_mode, after_hash, after_mode)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (conversation, seq, idx, path) DO UPDATE SET state = excluded.state, before_hash = excluded.before_hash,
            before_mode = excluded.before_mode, after_hash = excluded.after_hash, after_mode = excluded.after_mode`,
    [
      conversation,
      place.seq,
      place.idx,
      version.path,
      state,
      before?.blob.hash ?? null,
      before?.mode ?? null,
      after?.blob.hash ?? null,
      after?.mode ?? null,
    ],
  );
}

export async function changeVersion(
  statements: Statements,
  conversation: number,
  { seq, idx, path, state }: Pick<StoredVersion, 'seq' | 'idx' | 'path' | 'state'>,
): Promise<void> {
  await statements.run(
    `UPDATE file_version SET state = ? WHERE conversation = ? AND seq = ? AND idx = ? AND path = ?`,
    [state, conversation, seq, idx, path],
  );
}

/** Versions of the calls in these messages, in order of `seq` and `idx`. A row that cannot be read is left out. */
export async function readVersions(
  statements: Statements,
  conversation: number,
  fromSeq: number,
  toSeq: number,
): Promise<readonly StoredVersion[]> {
  const rows = await statements.all(
    `SELECT * FROM file_version WHERE conversation = ? AND seq BETWEEN ? AND ? ORDER BY seq, idx, path`,
    [conversation, fromSeq, toSeq],
  );
  return rows.flatMap(versionFrom);
}

function named(state: FileState | undefined): { readonly blob: Blob; readonly mode: number } | undefined {
  return state === undefined ? undefined : { blob: blobOf(state.bytes), mode: state.mode };
}

function versionFrom(row: SqlRow): readonly StoredVersion[] {
  const { seq, idx, path, state } = row;
  const [before, after] = [
    stateFrom(row['before_hash'], row['before_mode']),
    stateFrom(row['after_hash'], row['after_mode']),
  ];
  if (typeof path !== 'string' || !isVersionState(state) || before === 'damaged' || after === 'damaged') return [];
  return [
    {
      seq: Number(seq),
      idx: Number(idx),
      path,
      state,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  ];
}

/** Undefined: there was no such file. Bytes that nobody can name must not be taken for that: the file would be removed. */
function stateFrom(hash: unknown, mode: unknown): StoredFileState | undefined | 'damaged' {
  if (hash === null && mode === null) return undefined;
  const good =
    typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) && typeof mode === 'number' && mode >= 0 && mode <= MODES;
  return good ? { hash, mode } : 'damaged';
}

/** All permission bits. */
const MODES = 0o7777;

const STATES: ReadonlySet<unknown> = new Set<VersionState>(['proposed', 'applied', 'undone']);

function isVersionState(value: unknown): value is VersionState {
  return STATES.has(value);
}
