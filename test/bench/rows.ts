import type { BenchRow } from './row';
import { appendGrowth } from './rows/appendGrowth';
import { appendVsJsonl } from './rows/appendVsJsonl';
import { appendVsRewrite } from './rows/appendVsRewrite';
import { commandMemory } from './rows/commandMemory';
import { openGrowth } from './rows/openGrowth';
import { streamBytes } from './rows/streamBytes';
import { tokenCpu } from './rows/tokenCpu';
import { windowsP99 } from './rows/windowsP99';
import { writeAmplification } from './rows/writeAmplification';

/** All figures, in the order of the table. A new one is a file in `rows/` and a line here. */
export const ROWS: readonly BenchRow[] = [
  appendGrowth,
  appendVsRewrite,
  appendVsJsonl,
  writeAmplification,
  openGrowth,
  streamBytes,
  tokenCpu,
  windowsP99,
  commandMemory,
];
