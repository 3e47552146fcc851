import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Counts the tokens of a text as a model does that has this vocabulary. */
export type Tokenizer = (text: string) => number;

/** Text that looks like a special token is text: whoever writes it in a question must not change the prompt. */
export const PLAIN = { disallowedSpecial: new Set<string>() };

/** The vocabulary of gpt-oss; for code and English it counts like those of Llama 3 and Qwen, within a few per cent. */
export const o200k: Tokenizer = (text) => countTokens(text, PLAIN);
