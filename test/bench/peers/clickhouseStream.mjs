/** `node clickhouseStream.mjs PORT TABLE BLOCK TIMES`: streams the bytes of the file BLOCK so often, as one insert. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createClient } from '@clickhouse/client';

const [port, table, path, times] = process.argv.slice(2);
const block = readFileSync(path);
const blocks = function* () {
  for (let turn = 0; turn < Number(times); turn++) yield block;
};
const client = createClient({ url: `http://127.0.0.1:${port}`, request_timeout: 600_000 });
await client.insert({
  table,
  values: Readable.from(blocks(), { objectMode: false }),
  format: 'TabSeparated',
});
await client.close();
