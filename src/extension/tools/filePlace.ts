/** Why a place is guarded: what stands there is more than text, so that changing it asks in every mode. */
export type Guard = 'settings' | 'hooks' | 'own_data' | 'profile';

/** A file that a call names, with every link on its way resolved; there may be no such file yet. */
export interface FilePlace {
  /** Absolute and without links. */
  readonly real: string;
  /** Real path of the workspace folder. */
  readonly root: string;
  /** Seen from the workspace folder, with `/` between its steps; absolute when it lies outside. */
  readonly shown: string;
  readonly outside: boolean;
  readonly exists: boolean;
  readonly guard?: Guard;
}
