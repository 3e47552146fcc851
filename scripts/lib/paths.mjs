/** Where things are. Everything made by a script lives under `.cache/` (kept between runs) or `out/` (a result). */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Downloads, compiled parts and data directories that are worth keeping. */
const CACHE = join(ROOT, '.cache');

/** Results: the VSIX, reports, logs and pictures. */
export const OUT = join(ROOT, 'out');

/** @param {...string} parts a path below the root */
export const fromRoot = (...parts) => join(ROOT, ...parts);

/** @param {...string} parts a path below `.cache/` */
export const fromCache = (...parts) => join(CACHE, ...parts);

/** @param {...string} parts a path below `out/` */
export const fromOut = (...parts) => join(OUT, ...parts);
