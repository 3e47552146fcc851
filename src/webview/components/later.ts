import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** What is not needed to show a conversation, so that it need not be read before one is shown. */
type Later = typeof import('./laterParts');

const later = signal<Later | undefined>(undefined);
let loading: Promise<Later> | undefined;

/** Loads it, once. Rejects when its file is gone; the next call tries again. */
export async function loadLater(): Promise<void> {
  loading ??= import('./laterParts');
  try {
    later.value = await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** What was left for later, as soon as it is there. */
export function useLater(): Later | undefined {
  useEffect(() => {
    // Who started the page hears of a failure.
    void loadLater().catch(() => undefined);
  }, []);
  return later.value;
}
