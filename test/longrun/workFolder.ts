import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Random } from '../torture/random';
import { randomText } from '../torture/words';

/** U+1F3F7: two UTF-16 units, four bytes. Wherever a text of these is cut, it is cut inside one or beside it. */
const TAG = '🏷';
const PROSE =
  'The harbour lies still in the early light, and the boats that came in at night are asleep beside the quay. ';
const CHINESE = '数据库里的每一条消息都有自己的位置。窗口关闭以后，历史仍然完整。漢字かな交じり文も同じように読める。';

/** The files of a workspace folder by their paths: code, prose, Chinese, and what breaks those who count characters. */
function filesOf(random: Random): ReadonlyMap<string, string | Buffer> {
  const files = new Map<string, string | Buffer>();
  for (let index = 0; index < 12; index += 1) {
    files.set(`src/part${index}/module${index}.ts`, code(random, random.between(5, 400)));
  }
  files.set('README.md', PROSE.repeat(6));
  files.set('docs/prose.md', lines(PROSE, 60));
  files.set('docs/long-prose.md', lines(PROSE, 900));
  files.set('docs/中文.md', lines(CHINESE, 80));
  files.set('docs/mixed.txt', randomText(random, 6_000));
  // Offset by one unit: one of the two has its pair across any border.
  files.set('edge/tags-even.txt', TAG.repeat(4_000));
  files.set('edge/tags-odd.txt', `a${TAG.repeat(4_000)}`);
  files.set(
    'edge/tagged-lines.txt',
    Array.from({ length: 700 }, (_, n) => `${'x'.repeat(n % 7)}${TAG.repeat(90)}`).join('\n'),
  );
  files.set('edge/empty.txt', '');
  files.set('edge/no-text.bin', Buffer.from([0, 1, 2, 255, 254, 0, 7]));
  files.set('edge/broken-utf8.txt', Buffer.from([0x61, 0xf0, 0x9f, 0x8f, 0x0a, 0xff, 0x62]));
  files.set('big/huge.ts', code(random, 9_000));
  files.set('big/one-line.json', JSON.stringify(Array.from({ length: 30_000 }, (_, n) => n)));
  files.set('big/needles.txt', lines(`needle ${TAG} in a haystack of ${CHINESE}`, 500));
  return files;
}

function lines(line: string, count: number): string {
  return Array.from({ length: count }, (_, n) => `${n + 1}: ${line}`).join('\n');
}

function code(random: Random, count: number): string {
  const names = ['lease', 'queue', 'writer', 'größe', 'reader', 'clock'];
  return Array.from({ length: count }, (_, n) => {
    const name = `${random.pick(names)}${n}`;
    return `export function ${name}(value: number): number {\n  return value * ${random.between(1, 99)}; // needle ${n}\n}\n`;
  }).join('\n');
}

/** Makes the folder. Answers the paths of its files, relative to it. */
export async function makeWorkFolder(root: string, random: Random): Promise<readonly string[]> {
  const files = filesOf(random);
  for (const [path, content] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return [...files.keys()];
}
