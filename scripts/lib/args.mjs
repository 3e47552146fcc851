/** The arguments of a script, checked: an unknown one is told instead of ignored. */
import { parseArgs } from 'node:util';
import { Trouble } from './say.mjs';

/**
 * @template {import('node:util').ParseArgsConfig['options']} T
 * @param {T} options
 * @param {string} usage shown when the arguments cannot be understood
 */
export function readArgs(options, usage) {
  try {
    return parseArgs({ options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new Trouble(`${/** @type {Error} */ (error).message}\nUsage: ${usage}`);
  }
}
