import { effect } from '@preact/signals';

/** Waits until `isSo`, which reads signals, is true; but at most so many ms. */
export async function until(isSo: () => boolean, ms: number): Promise<void> {
  let stop = (): void => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    stop = effect(() => {
      if (isSo()) resolve();
    });
  });
  clearTimeout(timer);
  stop();
}
