import { render } from 'preact';
import { App } from './components/app';
import { PageProvider } from './components/context';
import { loadLater } from './components/later';
import type { HostPort } from './host/hostPort';
import { PageStore } from './store/pageStore';
import { whenIdle } from './whenIdle';

/** Draws the page into `root` and says `ready` to `host`. */
export function startPage(root: Element, host: HostPort): PageStore {
  const page = new PageStore(host);
  render(
    <PageProvider value={page}>
      <App />
    </PageProvider>,
    root,
  );
  page.start();
  whenIdle(() => void loadLater().catch(() => page.partMissing()));
  return page;
}
