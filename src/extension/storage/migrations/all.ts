import { migration001 } from './001';
import { migration002 } from './002';
import { migration003 } from './003';

/** In order, append-only: the n-th one leads to `user_version` n. */
export const MIGRATIONS: readonly string[] = [migration001, migration002, migration003];

/** The version of the file that this build makes and writes. */
export const NEWEST_VERSION = MIGRATIONS.length;
