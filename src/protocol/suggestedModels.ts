/** A model that can use tools, suggested where somebody looks for one. `bytes`: its size in the library of Ollama. */
export interface SuggestedModel {
  readonly name: string;
  readonly bytes: number;
  readonly abilities: string;
}

/** The most able first. */
const ALL: readonly SuggestedModel[] = [
  { name: 'qwen3:30b', bytes: 18.6e9, abilities: 'quick for its size, tools' },
  { name: 'gpt-oss:20b', bytes: 13.8e9, abilities: 'thinking, tools' },
  { name: 'qwen3:14b', bytes: 9.3e9, abilities: 'thinking, tools' },
  { name: 'qwen3:8b', bytes: 5.2e9, abilities: 'thinking, tools' },
  { name: 'qwen2.5-coder:7b', bytes: 4.7e9, abilities: 'code, tools' },
  { name: 'qwen3:4b', bytes: 2.5e9, abilities: 'small, thinking, tools' },
  { name: 'llama3.2:3b', bytes: 2.0e9, abilities: 'small and quick, tools' },
  { name: 'qwen3:1.7b', bytes: 1.4e9, abilities: 'very small, tools' },
  { name: 'qwen3:0.6b', bytes: 0.52e9, abilities: 'for trying it out, tools' },
];

const SHOWN = 3;
/** Where the memory is not known: what runs on most computers. */
const USUAL_MEMORY = 16e9;
/** Of the memory, for the model itself: its window takes as much again, and the rest of the computer the rest. */
const SHARE = 1 / 3;

export interface Suggestions {
  readonly models: readonly SuggestedModel[];
  /** The memory that they fit into; undefined when it is not known, or none does. */
  readonly gigabytes: number | undefined;
}

/** The best models for a computer with so many bytes of memory. */
export function suggestedModels(memory: number | undefined): Suggestions {
  const fitting = ALL.filter(({ bytes }) => bytes <= (memory ?? USUAL_MEMORY) * SHARE);
  const models = fitting.length === 0 ? ALL.slice(-1) : fitting.slice(0, SHOWN);
  return {
    models,
    // A part of the memory is taken before the system sees it: 15.5 of 16 GB.
    gigabytes: memory === undefined || fitting.length === 0 ? undefined : Math.ceil(memory / 2 ** 30),
  };
}
