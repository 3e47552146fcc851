const VIEW_PX = 600;
const ROW_PX = 100;

/** Gives sizes to the elements of a document that lays nothing out: without them a virtual list has nothing to show. */
export function fakeLayout(): void {
  give('clientHeight', () => VIEW_PX);
  give('scrollHeight', (element) =>
    [...element.querySelectorAll<HTMLElement>('.list, .row')].reduce((sum, one) => sum + ownHeight(one), 0),
  );
  HTMLElement.prototype.getBoundingClientRect = () => new DOMRect(0, 0, VIEW_PX, ROW_PX);
}

function give(name: string, get: (element: HTMLElement) => number): void {
  Object.defineProperty(HTMLElement.prototype, name, {
    configurable: true,
    get(this: HTMLElement) {
      return get(this);
    },
  });
}

function ownHeight({ classList, style }: HTMLElement): number {
  const rooms = [style.marginTop, style.paddingBottom].map((room) => Number.parseFloat(room) || 0);
  return rooms.reduce((sum, room) => sum + room, classList.contains('row') ? ROW_PX : 0);
}
