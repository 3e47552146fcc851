import type { Result } from '../base/result';

/** A skill, read whole. */
export interface LoadedSkill {
  readonly name: string;
  /** Its folder, as people write its path. */
  readonly folder: string;
  /** Markdown. */
  readonly body: string;
  /** What lies beside its SKILL.md: names only, those of folders with `/` at the end. */
  readonly files: readonly string[];
  /** Whether the files can be read with `read_file`, since they lie in the workspace folder. */
  readonly readable: boolean;
}

/** The skills of one turn. */
export interface SkillSource {
  readonly names: readonly string[];
  /** Reads one of them. Never rejects; the failure is a sentence for the model. */
  load(name: string, signal: AbortSignal): Promise<Result<LoadedSkill, string>>;
}
