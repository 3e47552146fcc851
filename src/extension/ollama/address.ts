import { isIPv6 } from 'node:net';
import { failed, succeeded, type Result } from '../base/result';

/** Where a server of models listens. */
export interface ServerAddress {
  /** With scheme and port, without a slash at the end. */
  readonly baseUrl: string;
  /** As a person would type it: `127.0.0.1:11434`, `https://models.example.org/base`. */
  readonly display: string;
  /** Whether it is this machine, so that no proxy may come between. */
  readonly loopback: boolean;
}

const DEFAULT_PORT = '11434';
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/**
 * Reads an address in any of the forms that Ollama's own `OLLAMA_HOST` takes: `host`, `host:port`, `:port`,
 * `scheme://host[:port][/path]`; empty means the default. Without a scheme the port is 11434, with one it is the
 * scheme's. A bind address (`0.0.0.0`) is taken for this machine. The failure is a sentence for the person.
 */
export function parseAddress(written: string): Result<ServerAddress, string> {
  const text = written
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .trim();
  // The one name for which Ollama itself assumes a scheme.
  if (/^ollama\.com$/i.test(text)) return parseAddress('https://ollama.com');
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return failed(`“${scheme}://” cannot be used. Write http:// or https://, or the host alone.`);
  }
  if (/[\s\\]/.test(text)) return failed('The address must not contain spaces or backslashes.');
  const afterScheme = scheme === undefined ? text : text.slice(scheme.length + '://'.length);
  const authority = scheme !== undefined && afterScheme === '' ? '' : withHost(afterScheme);
  // A URL skips slashes before a host, which would make a host of the path's first step.
  const url = authority.startsWith('/') ? undefined : parseUrl(`${scheme ?? 'http'}://${authority}`);
  if (url === undefined) return failed('This is no address. Write it like 127.0.0.1:11434.');
  if (url.username !== '' || url.password !== '') {
    return failed('The address must not contain a user name or password.');
  }
  if (url.search !== '' || url.hash !== '') return failed('The address must not contain “?” or “#”.');
  if (url.port === '0') return failed('Port 0 cannot be used.');
  return succeeded(toAddress(url, impliedPort(afterScheme, scheme)));
}

/** Whether the host name of a URL (`localhost`, `127.0.0.1`, `[::1]`) is this machine. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(name) ||
    name === '[::1]' ||
    // How a URL writes ::ffff:127.x.y.z.
    /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(name)
  );
}

/** The text with a host where none is written, and with brackets around a bare IPv6 address. */
function withHost(text: string): string {
  const [host = '', ...path] = text.split('/');
  if (isIPv6(host)) return [`[${host}]`, ...path].join('/');
  return text === '' || text.startsWith(':') ? `127.0.0.1${text}` : text;
}

function parseUrl(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.hostname === '' ? undefined : url;
  } catch {
    return undefined;
  }
}

/** The port when the parsed URL shows none: it drops the one that its scheme implies, also where that is written. */
function impliedPort(text: string, scheme: string | undefined): string {
  if (scheme === 'https') return '443';
  return scheme === 'http' || /^[^/]*:0*80(?:\/|$)/.test(text) ? '80' : DEFAULT_PORT;
}

function toAddress(url: URL, impliedPort: string): ServerAddress {
  const scheme = url.protocol.slice(0, -1);
  const port = url.port === '' ? impliedPort : url.port;
  const hostname = reachable(url.hostname);
  const path = url.pathname.replace(/\/+$/, '');
  const shownPort = scheme === 'https' && port === '443' ? '' : `:${port}`;
  return {
    baseUrl: `${scheme}://${hostname}:${port}${path}`,
    display: `${scheme === 'https' ? 'https://' : ''}${hostname}${shownPort}${path}`,
    loopback: isLoopback(hostname),
  };
}

/** A server may listen on every address; a client connects to one. */
function reachable(hostname: string): string {
  if (hostname === '0.0.0.0') return '127.0.0.1';
  return hostname === '[::]' ? '[::1]' : hostname;
}
