/** Resolves at `moment` (epoch ms), or at once when that is over: whoever is late catches up instead of slowing down. */
export async function untilMoment(moment: number): Promise<void> {
  const ms = moment - Date.now();
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
