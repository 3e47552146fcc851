import { render } from 'preact';
import type { Frame, SnapshotFrame } from '../../protocol/frame';
import type { HelloId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import { loadLater } from '../components/later';
import { startPage } from '../page';
import type { PageStore } from '../store/pageStore';
import { snapshot } from './build';
import { FakeHost } from './fakeHost';
import { fakeLayout } from './layout';

/** A page that runs in a test, and its host. */
export interface TestPage {
  readonly host: FakeHost;
  readonly page: PageStore;
  /** Sends frames, and waits until they are drawn. */
  readonly emit: (...frames: readonly Frame[]) => Promise<void>;
  readonly show: (messages: readonly Message[], more?: Partial<SnapshotFrame>) => Promise<void>;
}

let shown: Element | undefined;

/** Starts a page in an empty document. The one before goes. */
export function openPage(host = new FakeHost()): TestPage {
  fakeLayout();
  closePage();
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  shown = root;
  const page = startPage(root, host);
  const emit = async (...frames: readonly Frame[]): Promise<void> => {
    host.emit(...frames);
    await painted();
  };
  return {
    host,
    page,
    emit,
    show: async (messages, more) => {
      // A person is slower than the page is at loading the rest of itself.
      await loadLater();
      await emit(snapshot(lastHello(host), messages, more));
    },
  };
}

/** Takes the page away, if there is one. */
export function closePage(): void {
  if (shown !== undefined) render(null, shown);
  shown = undefined;
}

/** The id of the latest `ready`. */
function lastHello(host: FakeHost): HelloId {
  return (host.askedFor('ready').at(-1) as { readonly hello: HelloId }).hello;
}

/** Waits until frames are applied and what follows from them is drawn. */
export async function painted(): Promise<void> {
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve, 0));
}
