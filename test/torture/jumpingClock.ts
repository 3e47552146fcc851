/**
 * The wall clock of this process alone, set forwards and backwards by hours. `Date.now` is what every clock of the
 * product reads, those that cannot be passed as arguments, too; timers go on as they do when a person sets the clock.
 */
export function makeClockJump(): (ms: number) => void {
  const real = Date.now.bind(Date);
  let offset = 0;
  Date.now = () => real() + offset;
  return (ms) => {
    offset += ms;
  };
}
