/**
 * `node clickhouseStream.mjs PORT TABLE BLOCK TIMES [ROWS]`: streams the bytes of the file BLOCK so often, as one
 * insert; with ROWS as inserts of so many of its rows, ten of them under way.
 */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createClient } from '@clickhouse/client';

const [port, table, path, times, rows] = process.argv.slice(2);
const block = readFileSync(path);
const UNDER_WAY = 10;
const LF = 10;

const client = createClient({
  url: `http://127.0.0.1:${port}`,
  request_timeout: 600_000,
  log: { level: 127 },
});
const insert = (pieces) =>
  client.insert({ table, values: Readable.from(pieces, { objectMode: false }), format: 'TabSeparated' });

const blocks = function* () {
  for (let turn = 0; turn < Number(times); turn++) yield block;
};

/** The rows of all blocks, so many at a time; the last of a block are fewer. */
const batches = function* () {
  for (const one of blocks()) {
    for (let from = 0; from < one.length; ) {
      let to = from;
      for (let row = 0; row < Number(rows) && to < one.length; row++) to = one.indexOf(LF, to) + 1;
      yield one.subarray(from, to);
      from = to;
    }
  }
};

if (rows === undefined) await insert(blocks());
else {
  const left = batches();
  const sendAll = async () => {
    for (const batch of left) await insert([batch]);
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, sendAll));
}
await client.close();
