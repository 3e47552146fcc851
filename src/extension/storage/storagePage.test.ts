import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAMAGED, ODD, PLAIN } from '../../../test/support/history/fixtureHistory';
import { Connection, type SqlRow } from './connection';
import { NEWEST_VERSION } from './migrations/all';

const ROOT = join(import.meta.dirname, '../../..');

let page: string;
let folder: string;
let connection: Connection;

beforeAll(async () => {
  page = await readFile(join(ROOT, 'docs/storage.md'), 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'holdfast-page-'));
  const file = join(folder, 'holdfast.db');
  await copyFile(join(ROOT, `test/fixtures/history/v${NEWEST_VERSION}.db`), file);
  connection = await Connection.open(file, 'existing');
});

afterAll(async () => {
  await connection.close();
  await rm(folder, { recursive: true });
});

function all(sql: string, values: readonly string[] = []): Promise<readonly SqlRow[]> {
  return connection.exclusive((statements) => statements.all(sql, values));
}

/** The queries of the page, each with the value of its parameter; what only the shell knows is left out. */
function queries(): readonly { readonly sql: string; readonly values: readonly string[] }[] {
  return [...page.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => {
    const value = /^\.parameter set :\w+ "'(.*)'"$/m.exec(block)?.[1];
    const plain = block.replaceAll(/^\..*\n/gm, '').replace("writefile('before.bin', b.data)", 'b.data');
    return plain
      .split(/;\n/)
      .filter((sql) => sql.trim() !== '')
      .map((sql) => ({ sql, values: value === undefined ? [] : [value] }));
  });
}

describe('the page on the history file', () => {
  it('names every table, and every column where it describes the table', async () => {
    const tables = await all(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`);
    for (const table of tables.map(({ name }) => String(name))) {
      const about = page.split(`\n**\`${table}\`**`)[1]?.split('\n**`')[0] ?? '';
      const columns = await all(`SELECT name FROM pragma_table_info(?)`, [table]);
      const missing = columns
        .map(({ name }) => String(name))
        // One that a later version added is described there.
        .filter((name) => !about.includes(`\`${name}\``) && !page.includes(`\`${table}.${name}\``));
      expect({ table, missing }).toEqual({ table, missing: [] });
    }
  });

  it('has queries that all find something, in a file with damaged rows, too', async () => {
    await all(`UPDATE message SET data = '{"reason' WHERE id = (SELECT min(id) FROM message)`);
    const found = [];
    for (const { sql, values } of queries()) found.push([sql, (await all(sql, values)).length]);
    expect(found).toHaveLength(10);
    expect(found.filter(([, rows]) => rows === 0)).toEqual([]);
  });

  it('has queries that show a whole conversation, damaged and unknown parts as such', async () => {
    const [asText, asJson] = queries().filter(({ values }) => values[0] === PLAIN.id);
    const text = await all(asText?.sql ?? '', [ODD.id]);
    const lines = text.flatMap((row) => Object.values(row)).join('');
    for (const words of ['text: Listen to the bell', 'audio: {"hz":440}', `[damaged] ${DAMAGED}`, 'part is not.'])
      expect(lines).toContain(words);
    const [json] = await all(asJson?.sql ?? '', [PLAIN.id]);
    expect(JSON.parse(String(Object.values(json ?? {})[0]))).toMatchObject({
      id: PLAIN.id,
      messages: PLAIN.messages.map(({ seq, role, status }) => ({ seq, role, status })),
    });
  });
});
