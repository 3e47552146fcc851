import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { PLAIN } from './tokenizer';
import type { Tokenizer } from './tokenizer';

/** An older vocabulary, with half as many tokens and few for other scripts than Latin: Chinese takes twice as many. */
export const cl100k: Tokenizer = (text) => countTokens(text, PLAIN);
