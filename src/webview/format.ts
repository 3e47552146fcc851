/** Numbers, times and sizes as the panel writes them. */

const clockTime = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
const whole = new Intl.NumberFormat();

/** `14:02`, in the locale of the person. */
export function formatTime(at: number): string {
  return clockTime.format(at);
}

/** `14:02:11`. */
export function formatTimeWithSeconds(at: number): string {
  return clockSeconds.format(at);
}

/** `1,204`. */
export function formatNumber(value: number): string {
  return whole.format(value);
}

/** Of something that ended: `3.2 s`, `41 s`, `1 min 8 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  return seconds < 9.95 ? `${seconds.toFixed(1).replace(/\.0$/, '')} s` : formatWholeSeconds(ms);
}

/** As {@link formatDuration}, without tenths: `4 s`. */
export function formatWholeSeconds(ms: number): string {
  const seconds = Math.round(Math.max(0, ms) / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Of something that goes on: `0:42`, `1:02:03`. */
export function formatLive(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  const minutes = Math.floor(seconds / 60);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return minutes < 60
    ? `${minutes}:${pad(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

/** `9.3 GB`, `640 MB`: decimal units, as Ollama counts. */
export function formatBytes(bytes: number): string {
  const gigabytes = bytes / 1e9;
  if (gigabytes >= 9.95) return `${Math.round(gigabytes)} GB`;
  return gigabytes >= 0.995 ? `${gigabytes.toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}
