import type { VNode } from 'preact';
import type { ServerOffer } from '../../protocol/status';
import { modelWords } from '../modelWords';
import { popupWords } from '../popupWords';
import { usePage } from './context';
import { CopyLine } from './copy';

const words = popupWords.offers;

/** What was found where no server answers. Nothing of it is used unasked. */
export function Offers({ offers }: { offers: readonly ServerOffer[] }): VNode | null {
  if (offers.length === 0) return null;
  return (
    <div class="frame" role="group" aria-label={words.found}>
      {offers.map((offer, index) =>
        offer.kind === 'host' ? (
          <HostOffer key={offer.host} host={offer.host} why={offer.why} first={index === 0} />
        ) : (
          <div class="offer" key={offer.line}>
            <div>{words.forward}</div>
            <CopyLine command={offer.line} />
          </div>
        ),
      )}
    </div>
  );
}

function HostOffer({ host, why, first }: { host: string; why: string; first: boolean }): VNode {
  const page = usePage();
  const [before, name, after] = words.answers(host, why);
  return (
    <div class="offer">
      <div>
        {before}
        <span class="mono">{name}</span>
        {after}
      </div>
      <button class={first ? 'btn' : 'btn second'} type="button" onClick={() => void page.server.use(host)}>
        {modelWords.use(host)}
      </button>
    </div>
  );
}
