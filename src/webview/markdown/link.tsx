import type { ComponentChildren, VNode } from 'preact';
import { usePage } from '../components/context';
import { strings } from '../strings';

/**
 * A link of the model. It carries no address that the page could follow: it asks the host, which decides. Where it
 * leads is shown as it truly is, whatever the words of the link say.
 */
export function Link({ href, children }: { href: string; children: ComponentChildren }): VNode {
  const page = usePage();
  const where = destination(href);
  if (where === undefined) return <span title={href}>{children}</span>;
  return (
    <a
      role="link"
      tabIndex={0}
      title={strings.opens(where)}
      onClick={() => void page.openLink(href)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void page.openLink(href);
      }}
    >
      {children}
    </a>
  );
}

/** Where `href` leads, in words; undefined when it is of a kind that nothing may open. */
export function destination(href: string): string | undefined {
  const address = href.trim();
  if (address === '' || address.startsWith('#')) return undefined;
  // One letter before the colon is a drive, not a scheme.
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(address)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      // `//host/path` would be a file of another machine.
      return address.startsWith('//') || address.startsWith('\\\\') ? undefined : address;
    case 'http':
    case 'https':
      return webHost(address);
    case 'mailto':
    case 'file':
      return address;
    default:
      return isFilePlace(address) ? address : undefined;
  }
}

/** The host of a web address as the network will see it: `https://bank.example@evil.example` leads to the latter. */
function webHost(address: string): string | undefined {
  try {
    return new URL(address).host;
  } catch {
    return undefined;
  }
}

/** `scheduler.ts:104` looks like a scheme, but is a line in a file. */
function isFilePlace(address: string): boolean {
  return /^[^\s:]*\.[a-z\d]+:\d+(?::\d+)?$/i.test(address);
}
