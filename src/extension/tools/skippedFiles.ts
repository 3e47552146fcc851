import { counted } from './outputText';

/** What a run of ripgrep left out, as far as it looked. An ignored folder counts once. */
export interface Skipped {
  readonly ignored: number;
  readonly binary: number;
  readonly large: number;
}

/** Counts what ripgrep says that it leaves out, among what else it says about its work. */
export class SkippedFiles {
  readonly #hiddenBy: string | undefined;
  #ignored = 0;
  #binary = 0;
  #large = 0;

  /** `hiddenBy`: the file whose rules are not counted, since they hide that there is something. */
  constructor(hiddenBy: string | undefined) {
    this.#hiddenBy = hiddenBy;
  }

  get counts(): Skipped {
    return { ignored: this.#ignored, binary: this.#binary, large: this.#large };
  }

  /** Whether a line of what ripgrep prints for errors is about its work, and thus no complaint. */
  take(line: string): boolean {
    if (!/^rg: (?:DEBUG|TRACE)\|/.test(line)) return false;
    const why =
      /: ignoring .*: (?:(?<binary>found binary data at offset \d+)|(?<large>\d+ bytes)|(?<rule>Ignore\(IgnoreMatch\(Gitignore\(.*))$/s.exec(
        line,
      )?.groups;
    if (why?.['binary'] !== undefined) this.#binary += 1;
    else if (why?.['large'] !== undefined) this.#large += 1;
    else if (why?.['rule'] !== undefined && !this.#isHidden(why['rule'])) this.#ignored += 1;
    return true;
  }

  #isHidden(rule: string): boolean {
    return this.#hiddenBy !== undefined && rule.includes(JSON.stringify(this.#hiddenBy));
  }
}

/** A line on what was left out; none when nothing was. */
export function skippedWords({ ignored, binary, large }: Skipped, largeBytes: number): readonly string[] {
  const said = [
    ...(ignored === 0 ? [] : [`${counted(ignored, 'file or folder', 'files and folders')} by .gitignore`]),
    ...(binary === 0 ? [] : [counted(binary, 'binary file', 'binary files')]),
    ...(large === 0 ? [] : [`${counted(large, 'file', 'files')} over ${Math.round(largeBytes / 1_048_576)} MB`]),
  ];
  return said.length === 0 ? [] : [`[Left out: ${said.join(', ')}]`];
}
