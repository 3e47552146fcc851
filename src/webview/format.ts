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

/** `9.3 GB`, `640 MB`, `84 kB`: decimal units, as Ollama counts. */
export function formatBytes(bytes: number): string {
  const gigabytes = bytes / 1e9;
  if (gigabytes >= 9.95) return `${Math.round(gigabytes)} GB`;
  if (gigabytes >= 0.995) return `${gigabytes.toFixed(1)} GB`;
  return bytes >= 995_000 ? `${Math.round(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}

/** Tokens: `812`, `12.4k`, `131k`, `1.05M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens));
  if (tokens < 99_950) return `${(tokens / 1_000).toFixed(1)}k`;
  return tokens < 999_500 ? `${Math.round(tokens / 1_000)}k` : `${(tokens / 1e6).toFixed(2)}M`;
}

/** A window of a model, as its makers name it: `40k` is 40,960 tokens, `1M` 1,048,576. */
export function formatWindow(tokens: number): string {
  if (tokens >= 1_048_576 && tokens % 1_048_576 === 0) return `${tokens / 1_048_576}M`;
  return tokens >= 1_024 && tokens % 1_024 === 0 ? `${tokens / 1_024}k` : formatTokens(tokens);
}

/** `2.1 of 5.2 GB`, both in the unit of the second. */
export function formatBytesOf(part: number, whole: number): string {
  if (whole < 0.995e9) return `${Math.round(part / 1e6)} of ${Math.round(whole / 1e6)} MB`;
  return `${(part / 1e9).toFixed(1)} of ${(whole / 1e9).toFixed(1)} GB`;
}

/** A share in whole per cent. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Of something that is guessed to last so long: `45 s`, `1 min 20 s`, `12 min`. Coarse, so that it stands still. */
export function formatRest(ms: number): string {
  const seconds = ms / 1_000;
  const step = seconds < 20 ? 1 : seconds < 600 ? 10 : 60;
  return formatWholeSeconds(Math.max(1, Math.ceil(seconds / step) * step) * 1_000);
}
