import type { Part } from '../../protocol/part';
import type { Row } from '../store/rows';

const LINE_PX = 20;
const CHAR_PX = 6.6;

/** About how high a row will be, until it is drawn and measured: a good guess keeps the scroll bar calm. */
export function estimateRow(row: Row | undefined, width: number): number {
  if (row === undefined) return LINE_PX;
  const perLine = Math.max(20, (width - 32) / CHAR_PX);
  switch (row.kind) {
    case 'run':
      return 32;
    case 'pending':
      return 42 + textHeight(row.send.text, perLine);
    case 'user':
      return 42 + row.message.parts.reduce((sum, part) => sum + partHeight(part, perLine), 0);
    case 'answer':
      return row.messages.reduce(
        (sum, message) => sum + message.parts.reduce((inner, part) => inner + partHeight(part, perLine), 0),
        40,
      );
  }
}

function partHeight(part: Part, perLine: number): number {
  return part.type === 'text' ? textHeight(part.text, perLine) + 8 : 24;
}

/** Of a long text the beginning is looked at: it stands for the rest. */
function textHeight(text: string, perLine: number): number {
  const head = text.slice(0, 4_000);
  const lines = head.split('\n').reduce((sum, line) => sum + Math.max(0.5, Math.ceil(line.length / perLine)), 0);
  return lines * LINE_PX * Math.max(1, text.length / Math.max(1, head.length));
}
